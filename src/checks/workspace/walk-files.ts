import { type Dirent, readdirSync } from "node:fs";

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * Every file below a directory, except what tools put there. Breadth first and in order: where the bound cuts, it cuts
 * at the same place each time. Paths are bytes (latin1). Undefined: there is no such directory.
 */
export function walkFiles(root: string, mostFiles: number): Iterable<string> | undefined {
  const top = list(root);
  return top && below(root, top, mostFiles);
}

function* below(root: string, top: readonly Dirent<Buffer>[], mostFiles: number): Generator<string> {
  let files = 0;
  const queue: { readonly directory: string; readonly entries?: readonly Dirent<Buffer>[] }[] = [
    { directory: "", entries: top },
  ];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const entry of next.entries ?? list(`${root}/${next.directory}`) ?? []) {
      const name = entry.name.toString("latin1");
      if (LEFT_OUT.has(name)) continue;
      const path = next.directory === "" ? name : `${next.directory}/${name}`;
      if (entry.isDirectory()) queue.push({ directory: path });
      else if (files++ < mostFiles) yield path;
      else return;
    }
  }
}

/** Undefined: not there, or not ours to read. */
function list(path: string): readonly Dirent<Buffer>[] | undefined {
  try {
    const entries = readdirSync(Buffer.from(path, "latin1"), { withFileTypes: true, encoding: "buffer" });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // it vanished, or it is closed to us
    throw error;
  }
}
