import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "./build.ts";
import type { Bench, Row } from "./harness.ts";

/** What you wait for when you type a command, beside a Node that does nothing. */
export default async function (bench: Bench): Promise<readonly Row[]> {
  build();
  const home = join(bench.folder, "home");
  const project = join(bench.folder, "project");
  for (const folder of [home, project]) mkdirSync(folder);
  const empty = join(bench.folder, "empty.mjs");
  writeFileSync(empty, "");
  const options = {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TILDONE_HOME: join(home, "tildone"), PI_OFFLINE: "1" },
  };
  const floor = () => ended([empty]);
  const tildone = resolve("bin/tildone.js");
  const goal = ["run", "fix it", "--base-url", "http://localhost:9/v1", "--model", "none"];
  return [
    { name: "tildone --help", run: () => ended([tildone, "--help"]), floor, target: { atMost: 2.5 } },
    { name: "tildone status", run: () => ended([tildone, "status"]), floor, target: { atMost: 3.5 } },
    { name: "tildone run: its first line", run: () => firstLine([tildone, ...goal]), floor, target: { atMost: 3.5 } },
  ];

  function ended(args: readonly string[]): void {
    const { status, stderr } = spawnSync(process.execPath, args, { ...options, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr || `${args[0]} ended with ${status}`);
  }

  /** From the start of the process until it says what it works with. */
  function firstLine(args: readonly string[]): Promise<number> {
    const begun = performance.now();
    const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
    let took = Number.NaN;
    child.stdout.once("data", (text: Buffer) => {
      if (text.toString().startsWith("model ")) took = performance.now() - begun;
      child.kill("SIGKILL");
    });
    return new Promise((done, fail) =>
      child.once("close", () => (took > 0 ? done(took) : fail(new Error("it did not say its model first")))),
    );
  }
}
