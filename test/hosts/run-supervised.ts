import type { ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import type { Ended, Sandbox } from "./sandbox.ts";

export interface Supervised {
  readonly name: string;
  /** Where its program is. */
  readonly folder: string;
  /** What a supervisor has to pass on so that it does not ask. */
  readonly unasked: readonly string[];
}

/** `tildone run --host`, as it is shipped. */
export function runSupervised(
  sandbox: Sandbox,
  { name, folder, unasked }: Supervised,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  onStart?: (child: ChildProcess) => void,
): Promise<Ended> {
  const passed = unasked.map((arg) => `--host-arg=${arg}`);
  return sandbox.run(
    process.execPath,
    [resolve("bin/tildone.js"), "run", "--host", name, "make it work", ...flags, ...passed],
    { ...env, PATH: `${folder}:${sandbox.env.PATH}` },
    onStart,
  );
}
