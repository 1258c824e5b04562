import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Envelope } from "../../../src/core/run/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { type Script, type ScriptedModel, startScriptedModel } from "../../../src/testing/index.ts";

export const LONG = { timeout: 120_000 };
const WAIT_MS = 60_000;

/** A person with a folder, a home and a model of their own, who types commands into real terminals of 80 by 24. */
export interface Person extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly root: string;
  /** The folder in which terminals open. */
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Opens one more terminal, in the project or in another folder below the root. */
  terminal(folder?: string): Terminal;
  /** Writes a file below the root; folders are made. */
  file(path: string, text: string): string;
  /** The ids of all runs, the newest change first. */
  runs(): Promise<readonly string[]>;
  log(run?: string): Promise<readonly Envelope[]>;
}

/** A shell in tmux. */
export interface Terminal extends Disposable {
  screen(): string;
  /** Types a command and Enter. */
  types(line: string): void;
  /** Keys by tmux's names: `y`, `Enter`, `C-c`. */
  keys(...keys: readonly string[]): void;
  /** The window gets another size. */
  resize(columns: number, rows: number): void;
  /** The screen with its colours, as the sequences that make them. */
  colours(): string;
  /** From now on, what programs write to this terminal; byte by byte. */
  recorded(): () => string;
  /** Resolves with the screen when it fits. */
  shows(pattern: RegExp): Promise<string>;
  hides(pattern: RegExp): Promise<string>;
  /** Types a command on a clear screen and resolves when the shell is back. */
  runs(line: string): Promise<{ readonly exit: number; readonly screen: string }>;
  /** The pid of the newest process that runs in this terminal. */
  pid(): number;
  /** The window is closed: whatever runs in it is sent SIGHUP. */
  close(): void;
}

export interface PersonGiven {
  readonly script: Script;
  readonly env?: Readonly<Record<string, string>>;
  /** Of tildone, the text of its config.yaml. */
  readonly config?: string;
}

/** `tildone` is on the PATH and the scripted model is what pi is set to, so that commands are typed as in the docs. */
export async function aPerson({ script, env: more, config }: PersonGiven): Promise<Person> {
  const model = await startScriptedModel(script);
  const root = mkdtempSync(join(tmpdir(), "tildone-person-"));
  const project = join(root, "project");
  const env = {
    PATH: `${join(root, "bin")}:${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: root,
    TILDONE_HOME: join(root, "tildone"),
    PI_CODING_AGENT_DIR: join(root, "pi"),
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PS1: "$ ",
    ...more,
  };
  const terminals: Terminal[] = [];
  mkdirSync(project);
  file("bin/tildone", `#!/bin/sh\nexec '${process.execPath}' '${resolve("bin/tildone.js")}' "$@"\n`);
  execFileSync("chmod", ["+x", join(root, "bin/tildone")]);
  file("pi/models.json", JSON.stringify(providers(model.url)));
  file("pi/settings.json", JSON.stringify({ ...QUIET, defaultProvider: "scripted", defaultModel: "m" }));
  if (config !== undefined) file("tildone/config.yaml", config);
  return {
    model,
    root,
    project,
    env,
    file,
    terminal: (folder = project) => {
      const made = openShell({ env, folder, name: `${root.slice(-6)}-${terminals.length}` });
      terminals.push(made);
      return made;
    },
    runs: () => reading((store) => store.runs.list().map(({ run }) => run)),
    log: (run) =>
      reading((store) => {
        const id = run ?? store.runs.list()[0]?.run;
        return id === undefined ? [] : store.log.read(id, 0).events;
      }),
    [Symbol.asyncDispose]: async () => {
      for (const each of terminals) each[Symbol.dispose]();
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  function file(path: string, text: string): string {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  async function reading<T>(read: (store: Awaited<ReturnType<typeof openStore>>) => T): Promise<T> {
    const store = await openStore({ path: join(env.TILDONE_HOME, "tildone.db") });
    try {
      return read(store);
    } finally {
      store.close();
    }
  }
}

const QUIET = { quietStartup: true, enableInstallTelemetry: false, retry: { enabled: false } };

const providers = (url: string) => ({
  providers: {
    scripted: {
      api: "openai-completions",
      apiKey: "x",
      baseUrl: `${url}/v1`,
      models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
    },
  },
});

interface ShellGiven {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly name: string;
}

function openShell({ env, folder, name }: ShellGiven): Terminal {
  // A server of its own: nothing of the machine's tmux is touched, and it dies with the test.
  const socket = `tildone-${process.pid}-${name}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const given = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const shell = ["env", "-i", ...given, "bash", "--norc", "--noprofile", "-i"].map(quoted).join(" ");
  tmux("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", "-c", folder, shell);
  const screen = () => tmux("capture-pane", "-p", "-t", "t");
  const keys = (...list: readonly string[]) => {
    for (const key of list) tmux("send-keys", "-t", "t", key);
  };
  const types = (line: string) => {
    tmux("send-keys", "-t", "t", "-l", line);
    keys("Enter");
  };
  let count = 0;
  let isOpen = true;
  return {
    screen,
    keys,
    types,
    resize: (columns, rows) => void tmux("resize-window", "-t", "t", "-x", String(columns), "-y", String(rows)),
    recorded: () => {
      const file = join(env.HOME!, `written-${++count}`);
      writeFileSync(file, "");
      tmux("pipe-pane", "-t", "t", `cat >> ${quoted(file)}`);
      return () => readFileSync(file, "latin1");
    },
    colours: () => tmux("capture-pane", "-p", "-e", "-t", "t"),
    shows: (pattern) => waitFor((text) => pattern.test(text), `${pattern} on the screen`),
    hides: (pattern) => waitFor((text) => !pattern.test(text), `${pattern} gone from the screen`),
    runs: async (line) => {
      const mark = `(${++count} exit `;
      types(`clear; ${line}; echo "${mark}$?)"`);
      const ended = await waitFor(
        (text) => new RegExp(`^\\(${count} exit \\d+\\)$`, "m").test(text),
        `the end of ${line}`,
      );
      const at = ended.lastIndexOf(mark);
      return { exit: Number(/\d+/.exec(ended.slice(at + mark.length))?.[0]), screen: ended.slice(0, at).trim() };
    },
    pid: () => {
      let pid = tmux("list-panes", "-t", "t", "-F", "#{pane_pid}").trim();
      for (let child = childOf(pid); child !== undefined; child = childOf(pid)) pid = child;
      return Number(pid);
    },
    close: () => void tmux("kill-session", "-t", "t"),
    [Symbol.dispose]: () => {
      if (!isOpen) return;
      isOpen = false;
      try {
        tmux("kill-server");
      } catch {} // it ended with its last window
    },
  };

  async function waitFor(fits: (text: string) => boolean, what: string): Promise<string> {
    const deadline = performance.now() + WAIT_MS;
    for (let text = screen(); ; text = screen()) {
      if (fits(text)) return text;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 40)); // a terminal does not tell that it changed
    }
  }
}

function childOf(pid: string): string | undefined {
  try {
    return execFileSync("pgrep", ["-n", "-P", pid], { encoding: "utf8" }).trim();
  } catch {
    return undefined; // it has none
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Resolves when it becomes true; for what no screen shows. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string, waitMs = WAIT_MS): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}
