import { readdirSync, readFileSync } from "node:fs";

const LOOK_MS = 100;
const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;

/** Looks at a process and all that it started, ten times a second, and remembers the most memory they had together. */
export function watchMemory(pid: number): { peakMiB(): number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, LOOK_MS);
  return { peakMiB: () => peak / MIB, stop: () => clearInterval(timer) };
}

/** Resident memory of a process tree. Pages that two processes share count for both. */
export function residentBytes(root: number): number {
  const processes = allProcesses();
  const tree = new Set([root]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  return processes.filter(({ pid }) => tree.has(pid)).reduce((sum, { bytes }) => sum + bytes, 0);
}

function allProcesses(): readonly { pid: number; parent: number; bytes: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // a program's name may hold anything
        return [{ pid: Number(name), parent: Number(fields[1]), bytes: Number(fields[21]) * PAGE_BYTES }];
      } catch {
        return []; // it ended while we looked
      }
    });
}
