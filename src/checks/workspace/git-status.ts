/** One line of `git status --porcelain=v2 -z`, as far as we read it. */
export type StatusEntry =
  | {
      readonly type: "tracked";
      readonly path: string;
      /** What the commit holds; undefined: nothing. */
      readonly head?: { readonly mode: string; readonly oid: string };
      /** What the index holds and the file still is; undefined: look at the file. */
      readonly index?: { readonly mode: string; readonly oid: string };
      readonly submodule: boolean;
      readonly deleted: boolean;
    }
  /** A path that ends in a slash is a repository of its own. */
  | { readonly type: "untracked"; readonly path: string };

export interface Status {
  /** Undefined: no commit yet. */
  readonly commit?: string;
  readonly entries: readonly StatusEntry[];
}

export function parseStatus(output: Buffer): Status {
  const lines = output.toString("latin1").split("\0"); // bytes stay bytes: a path need not be UTF-8
  let commit: string | undefined;
  const entries: StatusEntry[] = [];
  for (const line of lines) {
    if (line.startsWith("# branch.oid ")) commit = line.slice(13) === "(initial)" ? undefined : line.slice(13);
    else if (line.startsWith("1 ")) entries.push(changed(line));
    else if (line.startsWith("u ")) entries.push(unmerged(line));
    else if (line.startsWith("? ")) entries.push({ type: "untracked", path: line.slice(2) });
  }
  return { ...(commit !== undefined && { commit }), entries };
}

const NONE = "000000";

/** "1 XY sub mH mI mW hH hI path" */
function changed(line: string): StatusEntry {
  const [, xy = "", , headMode = NONE, indexMode = NONE, fileMode = NONE, headOid = "", indexOid = ""] = line.split(
    " ",
    8,
  );
  const path = afterBlanks(line, 8);
  const isAsStaged = xy[1] === "." && indexMode !== NONE;
  return {
    type: "tracked",
    path,
    ...(headMode !== NONE && { head: { mode: headMode, oid: headOid } }),
    ...(isAsStaged && { index: { mode: indexMode, oid: indexOid } }),
    submodule: [headMode, indexMode, fileMode].includes(GITLINK),
    deleted: fileMode === NONE,
  };
}

/** "u XY sub m1 m2 m3 mW h1 h2 h3 path": the second stage is what our side, the commit, holds. */
function unmerged(line: string): StatusEntry {
  const [, , , , ours = NONE, , fileMode = NONE, , oursOid = ""] = line.split(" ", 10);
  return {
    type: "tracked",
    path: afterBlanks(line, 10),
    ...(ours !== NONE && { head: { mode: ours, oid: oursOid } }),
    submodule: [ours, fileMode].includes(GITLINK),
    deleted: fileMode === NONE,
  };
}

export const GITLINK = "160000";

function afterBlanks(line: string, blanks: number): string {
  let at = -1;
  for (let blank = 0; blank < blanks; blank++) at = line.indexOf(" ", at + 1);
  return line.slice(at + 1);
}
