import { execFileSync } from "node:child_process";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A real terminal: tmux draws it, keys are keys. */
export interface TmuxScreen extends Disposable {
  /** `-e`: with its colours as escape sequences. */
  screen(...flags: readonly string[]): string;
  /** Keys by tmux's names, one call each: text and Enter together would be taken for a paste. */
  keys(...keys: readonly string[]): void;
  type(text: string): void;
  /** Resolves with the screen when it fits. It may be drawn only so far: what stands below the match may come later. */
  shows(pattern: RegExp): Promise<string>;
  hides(pattern: RegExp): Promise<string>;
  /** A command of tmux itself. */
  tmux(...words: readonly string[]): string;
}

export interface TmuxGiven {
  /** Tells its server from others: nothing of the machine's tmux is touched, and it dies with the test. */
  readonly name: string;
  readonly cwd: string;
  readonly size: Size;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  /** A line of the shell after the command. */
  readonly after?: string;
}

const WAIT_MS = 110_000; // less than a test may take, so that the screen is seen that did not fit

export function openTmux({ name, cwd, size, env, argv, after = "" }: TmuxGiven): TmuxScreen {
  const socket = `tildone-${process.pid}-${name}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const variables = Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  const line = `${["env", "-i", ...variables, ...argv].map(quoted).join(" ")}${after}`;
  const place = ["-x", `${size.columns}`, "-y", `${size.rows}`, "-c", cwd];
  tmux(
    ...["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"],
    ...["new-session", "-d", "-s", "test", ...place, line],
  );
  const screen = (...flags: readonly string[]) => tmux("capture-pane", "-p", ...flags, "-t", "test");
  return {
    screen,
    tmux,
    keys: (...keys) => {
      for (const key of keys) tmux("send-keys", "-t", "test", key);
    },
    type: (text) => void tmux("send-keys", "-t", "test", "-l", text),
    shows: (pattern) => waitFor((text) => pattern.test(text), `${pattern} on the screen`),
    hides: (pattern) => waitFor((text) => !pattern.test(text), `${pattern} gone from the screen`),
    [Symbol.dispose]: () => void tmux("kill-server"),
  };

  async function waitFor(fits: (text: string) => boolean, what: string): Promise<string> {
    const deadline = performance.now() + WAIT_MS;
    for (let text = screen(); ; text = screen()) {
      if (fits(text)) return text;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 30)); // a terminal does not tell that it changed
    }
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
