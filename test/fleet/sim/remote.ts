import { FilesError } from "../../../src/fleet/files/index.ts";

/** Files of a run: the steps whose work they hold. */
export type Files = readonly number[];

export interface Commit {
  readonly id: string;
  readonly files: Files;
  readonly parents: readonly string[];
  /** Number of the claim that made it. */
  readonly epoch: number;
  /** It holds no work: it only makes the remote refuse older claims. */
  readonly takesOver: boolean;
}

/** A repository elsewhere: refs that move by compare-and-swap, and the commits they reach. */
export function createRemote() {
  const made = new Map<string, Commit>();
  const refs = new Map<string, string>();
  const published = new Map<string, string>();
  let moved = (_run: string, _from: string | undefined, _to: string): void => {};
  return {
    onMove: (heard: typeof moved) => {
      moved = heard;
    },
    commit,
    made: (id: string) => made.get(id)!,
    tip,
    move,
    fetch,
    publish,
    published,
    filesAt,
  };

  /** On the machine that makes it: it is in the remote when a ref reaches it. */
  function commit(files: Files, parents: readonly string[], epoch: number, takesOver = false): Commit {
    const fresh: Commit = { id: `c${made.size + 1}`, files: [...files], parents, epoch, takesOver };
    made.set(fresh.id, fresh);
    return fresh;
  }

  function tip(run: string): string | undefined {
    return refs.get(run);
  }

  function move(run: string, to: string, from: string | undefined): "moved" | "fenced" {
    if (refs.get(run) !== from) return "fenced";
    moved(run, from, to);
    refs.set(run, to);
    return "moved";
  }

  function fetch(run: string, id: string): Commit {
    const found = made.get(id);
    if (!found || !reaches(run, id)) throw new FilesError("no_checkpoint", `${id} is not in the remote.`);
    return found;
  }

  function publish(run: string, id: string): void {
    fetch(run, id);
    published.set(run, id);
  }

  /** None: nothing was changed yet. Undefined: the commit is not there. */
  function filesAt(run: string, id: string | undefined): Files | undefined {
    if (id === undefined) return [];
    return reaches(run, id) ? made.get(id)?.files : undefined;
  }

  function reaches(run: string, id: string): boolean {
    const open = [refs.get(run)];
    const seen = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === id) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(made.get(next)?.parents ?? []));
    }
    return false;
  }
}

export type Remote = ReturnType<typeof createRemote>;
