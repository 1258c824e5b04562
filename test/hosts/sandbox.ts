import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Run } from "../../src/core/run/index.ts";
import { openRun } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";

/** A machine of its own for one test: home, project, temporary files, and nothing of the one it runs on. */
export interface Sandbox {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  write(path: string, content: string): void;
  /** Runs a program to its end; nothing of it outlives the test. */
  run(
    command: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    onStart?: (child: ChildProcess) => void,
  ): Promise<Ended>;
  /** The shipped command line of tildone. */
  tildone(...args: string[]): string;
  /** Every run in the log, the newest first. */
  runs(): Promise<readonly Run[]>;
  remove(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const LONGEST_MS = 240_000;

export function createSandbox(name: string): Sandbox {
  const root = mkdtempSync(join(tmpdir(), `tildone-${name}-`));
  const home = join(root, "home");
  const project = join(root, "project");
  for (const folder of [home, project, join(root, "tmp")]) mkdirSync(folder);
  spawnSync("git", ["init", "-q", project]);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: join(root, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
  };
  const children = new Set<ReturnType<typeof spawn>>();

  return {
    home,
    project,
    env,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    run: (command, args, more = {}, onStart = () => {}) =>
      new Promise((done) => {
        const child = spawn(command, args, {
          cwd: project,
          env: { ...env, ...more },
          stdio: ["ignore", "pipe", "pipe"],
          timeout: LONGEST_MS,
          killSignal: "SIGKILL",
        });
        children.add(child);
        onStart(child);
        let out = "";
        let err = "";
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          out += chunk;
        });
        child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
          err += chunk;
        });
        child.on("close", (code) => {
          children.delete(child);
          done({ code, out, err });
        });
      }),
    tildone: (...args) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], {
        cwd: project,
        env,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`tildone ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
      return stdout;
    },
    runs: async () => {
      const store = await openStore({ path: join(home, ".local/state/tildone/tildone.db") });
      try {
        return store.runs.list().map((card) => openRun(store.log, card.run).run);
      } finally {
        store.close();
      }
    },
    remove: () => {
      for (const child of children) child.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
