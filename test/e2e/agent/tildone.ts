import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { RunEvent } from "../../../src/core/run/index.ts";
import type { Todo } from "../../../src/core/todo/index.ts";

/** What is shipped is what is tested. */
const TILDONE = resolve("bin/tildone.js");

/** A home and a project of their own, and the real command line in processes of their own. */
export function aPlace(more: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), "tildone-agent-"));
  const project = join(root, "project");
  mkdirSync(project);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: root,
    TILDONE_HOME: join(root, "tildone"),
    PI_CODING_AGENT_DIR: join(root, "pi"),
    PI_OFFLINE: "1",
    ...more,
  };
  const running = new Set<ChildProcess>();
  return {
    project,
    env,
    /** pi's own settings and sessions. */
    pi: env.PI_CODING_AGENT_DIR,
    database: join(env.TILDONE_HOME, "tildone.db"),
    start,
    startWithin,
    tildone: async (...args: readonly string[]) => start(...args).ended,
    [Symbol.asyncDispose]: async () => {
      for (const child of running) child.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  function start(...args: readonly string[]) {
    return startWithin([], ...args);
  }

  /** `around` is a program that starts the rest of its words. */
  function startWithin(around: readonly string[], ...args: readonly string[]) {
    const [file = "", ...words] = [...around, process.execPath, TILDONE, ...args];
    const child = spawn(file, words, { env, cwd: project });
    running.add(child);
    let out = "";
    let err = "";
    const watchers = new Set<() => void>();
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
      for (const look of watchers) look();
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
    });
    const ended = new Promise<{ code: number | null; out: string; err: string }>((done) =>
      child.once("close", (code) => {
        running.delete(child);
        for (const look of watchers) look();
        done({ code, out, err });
      }),
    );
    /** Resolves when the output holds it; rejects if the process ended without. */
    const printed = (pattern: RegExp) =>
      new Promise<RegExpExecArray>((done, fail) => {
        const look = () => {
          const found = pattern.exec(out);
          if (!found && !running.has(child)) fail(new Error(`it ended without ${pattern}:\n${out}\n${err}`));
          if (!found && running.has(child)) return;
          watchers.delete(look);
          if (found) done(found);
        };
        watchers.add(look);
        look();
      });
    return { child, ended, printed };
  }
}

export type Place = ReturnType<typeof aPlace>;

export interface Result {
  readonly type: "result";
  readonly reason: string;
  readonly exit: number;
  readonly says: string;
  readonly run: string;
  readonly todos: readonly Todo[];
}

/** What `--json` printed: every line is JSON, and the last one is the result. */
export function linesOf(out: string): { readonly events: readonly RunEvent[]; readonly result: Result } {
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; event?: RunEvent });
  return { events: lines.flatMap(({ event }) => event ?? []), result: lines.at(-1) as unknown as Result };
}
