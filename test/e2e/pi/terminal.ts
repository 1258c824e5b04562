import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** pi in a real terminal: tmux draws it, keys are keys. */
export interface PiTerminal extends Disposable {
  screen(): string;
  /** Keys by tmux's names, one call each: text and Enter together would be taken for a paste. */
  keys(...keys: readonly string[]): void;
  type(text: string): void;
  /** Resolves with the screen when it fits. It may be drawn only so far: what stands below the match may come later. */
  shows(pattern: RegExp): Promise<string>;
  hides(pattern: RegExp): Promise<string>;
  /** How often the bell rang. */
  rings(): number;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

const WAIT_MS = 30_000;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** `size`: of the terminal; absent, one in which much can be seen at once. */
export function openTerminal(box: Sandbox & { readonly size?: Size }, ...args: readonly string[]): PiTerminal {
  const { columns, rows } = box.size ?? { columns: 120, rows: 50 };
  // A server of its own: nothing of the machine's tmux is touched, and it dies with the test.
  const socket = `tildone-${process.pid}-${box.root.slice(-6)}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const env = { ...box.env, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const command = ["env", "-i", ...Object.entries(env).map(([name, value]) => `${name}=${value}`), process.execPath];
  // What it says when it ends stays on the screen, and its status; what tmux says of a pane that died comes and goes.
  const line = `${[...command, ...box.argv, ...args].map(quoted).join(" ")}; echo "(exit $?)"`;
  tmux(
    "start-server",
    ";",
    "set-option",
    "-g",
    "remain-on-exit",
    "on",
    ";",
    "new-session",
    "-d",
    "-s",
    "pi",
    "-x",
    `${columns}`,
    "-y",
    `${rows}`,
    "-c",
    box.cwd,
    line,
  );

  const bells = join(box.root, "bells");
  tmux("set-hook", "-g", "alert-bell", `run-shell 'echo >> ${bells}'`);

  const screen = () => tmux("capture-pane", "-p", "-t", "pi");
  const keys = (...list: readonly string[]) => {
    for (const key of list) tmux("send-keys", "-t", "pi", key);
  };
  return {
    screen,
    keys,
    type: (text) => tmux("send-keys", "-t", "pi", "-l", text),
    shows: (pattern) => waitFor((text) => pattern.test(text), `${pattern} on the screen`),
    hides: (pattern) => waitFor((text) => !pattern.test(text), `${pattern} gone from the screen`),
    rings: () => (existsSync(bells) ? readFileSync(bells, "utf8").length : 0),
    kill: async () => {
      const shell = tmux("list-panes", "-t", "pi", "-F", "#{pane_pid}").trim();
      process.kill(Number(execFileSync("pgrep", ["-P", shell], { encoding: "utf8" })), "SIGKILL");
      await waitFor((text) => text.includes("(exit 137)"), "its end");
    },
    [Symbol.dispose]: () => {
      tmux("kill-server");
    },
  };

  async function waitFor(fits: (text: string) => boolean, what: string): Promise<string> {
    const deadline = performance.now() + WAIT_MS;
    for (let text = screen(); ; text = screen()) {
      if (fits(text)) return text;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 30)); // a terminal tells nobody that it changed
    }
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
