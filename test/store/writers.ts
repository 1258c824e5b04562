import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundle } from "../../tools/bundle.ts";

export type Runtime = "node" | "bun";

export interface Writer {
  readonly name: string;
  /** The number of the last acknowledged event, 0 for none. */
  readonly acknowledged: number;
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>;
  kill(): void;
}

export interface Writers extends AsyncDisposable {
  /** The log they all write to; not there before the first begins. */
  readonly path: string;
  start(runtime: Runtime, name: string, count: number, onAcknowledged?: (number: number) => void): Writer;
}

/** Real processes on one log. What is still alive at the end of the scope is killed. */
export async function createWriters(): Promise<Writers> {
  const folder = mkdtempSync(join(tmpdir(), "tildone-writers-"));
  const alive = new Set<ChildProcess>();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await bundle({ writer: resolve(import.meta.dirname, "writer.ts") }, folder, { alone: true }); // 200 of them start: each must be quick
  const path = join(folder, "state", "runs.db");
  return { path, start, [Symbol.asyncDispose]: dispose };

  function start(runtime: Runtime, name: string, count: number, onAcknowledged = (_number: number) => {}): Writer {
    const child = spawn(EXECUTABLES[runtime], [join(folder, "writer.js"), path, name, String(count)]);
    alive.add(child);
    let acknowledged = 0;
    let errors = "";
    let line = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (line + text).split("\n");
      line = lines.pop()!;
      if (lines.length === 0) return;
      acknowledged = Number(lines.at(-1));
      onAcknowledged(acknowledged);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const ended = new Promise<{ code: number | null; errors: string }>((done, failed) => {
      child.on("error", failed);
      child.on("close", (code) => {
        alive.delete(child);
        done({ code, errors });
      });
    });
    return {
      name,
      get acknowledged() {
        return acknowledged;
      },
      ended,
      kill: () => void child.kill("SIGKILL"),
    };
  }

  async function dispose(): Promise<void> {
    const gone = [...alive].map((child) => new Promise((done) => child.once("close", done)));
    for (const child of alive) child.kill("SIGKILL");
    await Promise.all(gone);
    rmSync(folder, { recursive: true, force: true });
  }
}

const EXECUTABLES: Readonly<Record<Runtime, string>> = {
  node: process.execPath,
  bun: resolve(import.meta.dirname, "../../node_modules/.bin/bun"),
};
