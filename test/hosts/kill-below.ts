import { spawnSync } from "node:child_process";

/** Kills a host and what it consists of, as a machine that runs out of memory would; our own processes below it learn of it by themselves. */
export function killBelow(root: number, program: string): void {
  const table = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout.split("\n");
  const processes = table.flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const below = (parent: number): readonly (typeof processes)[number][] =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  const hosts = below(root).filter(({ args }) => args.includes(program) && !/tildone(-hook|-mcp)?\.js/.test(args));
  if (hosts.length === 0) throw new Error(`no process of ${program} runs below ${root}`);
  for (const { pid } of hosts) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it went with the one before
  }
}
