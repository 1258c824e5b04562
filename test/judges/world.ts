import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Persona } from "../../src/testing/index.ts";

/** A machine for one play: a home with programs of its own, a folder around the project, temporary files. */
export interface World {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** What a program printed, and how it ended; null: its time was up. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  remove(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

const LONGEST_MS = 600_000;

export function aWorld(persona: Persona): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "judges-")));
  const [home, project, temp] = [join(root, "home"), join(root, "work/project"), join(root, "tmp")];
  for (const folder of [join(home, "bin"), project, temp]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "alive"), ""); // what a model leaves running ends when this is gone
  const env = {
    PATH: [join(home, "bin"), dirname(process.execPath), ...toolFolders()].join(delimiter),
    HOME: home,
    TMPDIR: temp,
    LANG: "C.UTF-8",
    TERM: "dumb",
    ALIVE: join(root, "alive"),
    npm_config_update_notifier: "false",
    ...toolchains(),
    ...persona.env,
  };
  layOut(project, persona, env);
  return {
    home,
    project,
    env,
    run: ([file = "", ...args], more = {}) =>
      new Promise((done) => {
        const child = spawn(file, args, {
          cwd: project,
          env: { ...env, ...more },
          stdio: ["ignore", "pipe", "pipe"],
          timeout: LONGEST_MS,
          killSignal: "SIGKILL",
        });
        let printed = "";
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => {
            printed += text;
          });
        child.on("exit", (code) => setTimeout(() => done({ code, printed }), 50)); // a daemon may hold its pipes
      }),
    remove: () => {
      rmSync(join(root, "alive"), { force: true });
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Installed for the one who runs this, and found through their home. */
function toolchains(): Readonly<Record<string, string>> {
  const { HOME: home = "", CARGO_HOME, RUSTUP_HOME } = process.env;
  return { CARGO_HOME: CARGO_HOME ?? join(home, ".cargo"), RUSTUP_HOME: RUSTUP_HOME ?? join(home, ".rustup") };
}

let folders: readonly string[] | undefined;

/** Without the folders of this checkout; Python itself and not what finds it. */
function toolFolders(): readonly string[] {
  folders ??= [
    ...pythonFolder(),
    ...(process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(resolve("."))),
  ];
  return folders;
}

function pythonFolder(): readonly string[] {
  try {
    const path = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
    return [dirname(path.trim())];
  } catch {
    return []; // there is none
  }
}

function layOut(project: string, { project: files, setUp, isBare }: Persona, env: World["env"]): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  if (setUp !== undefined) execFileSync("/bin/sh", ["-c", setUp], { cwd: project, env, stdio: "ignore" });
  if (isBare) return;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=persona", "-c", "user.email=persona@localhost", ...args], {
      cwd: project,
      env,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "the project");
}
