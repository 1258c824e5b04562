import { readFileSync } from "node:fs";

/** The share of one processor that it used meanwhile: 1 is all of it. */
export async function cpuShare(pid: number, ms: number): Promise<number> {
  const [ticks, began] = [cpuTicks(pid), performance.now()];
  await pause(ms);
  return ((cpuTicks(pid) - ticks) * 10) / (performance.now() - began);
}

/** Memory that it has, in MiB. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
