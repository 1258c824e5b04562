import { readdirSync, readFileSync } from "node:fs";

const LOOK_MS = 100;
const MIB = 1024 * 1024;

/** Looks at a process and all that it started, ten times a second, and remembers the most memory they had together. */
export function watchMemory(pid: number): { peakMiB(): number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid));
  }, LOOK_MS);
  return { peakMiB: () => peak / MIB, stop: () => clearInterval(timer) };
}

/**
 * Memory of a process tree in bytes. Pages that several processes share are divided among them: a process that is just being
 * started shares all of its parent's, and would count twice otherwise.
 */
export function memoryOf(root: number): number {
  const parents = parentsOfAll();
  const tree = new Set([root]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree].reduce((sum, pid) => sum + ownShare(pid), 0);
}

function parentsOfAll(): ReadonlyMap<number, number> {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(
    names.map((name) => {
      const stat = read(`/proc/${name}/stat`);
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // a program's name may hold anything
      return [Number(name), Number(fields[1])];
    }),
  );
}

function ownShare(pid: number): number {
  const [, kibibytes = "0"] = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kibibytes) * 1024;
}

/** Empty if the process ended while we looked. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
