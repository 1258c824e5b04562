import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const WAIT_MS = 60_000;

/** A real shell in a terminal of 80 by 24 with `tildone` on its PATH, and a home and a project of its own. */
export function openShell(
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
  size = { columns: 80, rows: 24 },
) {
  const root = mkdtempSync(join(tmpdir(), "tildone-shell-"));
  const [project, bin] = [join(root, "project"), join(root, "bin")];
  for (const folder of [project, bin]) mkdirSync(folder);
  symlinkSync(resolve("bin/tildone.js"), join(bin, "tildone"));
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ""}`,
    HOME: root,
    TILDONE_HOME: join(root, "tildone"),
    PI_CODING_AGENT_DIR: join(root, "pi"),
    PI_OFFLINE: "1",
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    PS1: "$ ",
    ...more,
  };
  const socket = `tildone-${process.pid}-${root.slice(-6)}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const command = ["env", "-i", ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv];
  const place = ["-x", `${size.columns}`, "-y", `${size.rows}`, "-c", project];
  tmux(
    ...["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"],
    ...["new-session", "-d", "-s", "shell", ...place, command.map(quoted).join(" ")],
  );
  const screen = (...flags: readonly string[]) => tmux("capture-pane", "-p", ...flags, "-t", "shell");
  return {
    root,
    project,
    env,
    screen,
    /** With its colours as escape sequences. */
    colours: () => screen("-e"),
    keys: (...keys: readonly string[]) => {
      for (const key of keys) tmux("send-keys", "-t", "shell", key);
    },
    type: (text: string) => tmux("send-keys", "-t", "shell", "-l", text),
    shows: (pattern: RegExp) => waitFor((text) => pattern.test(text), `${pattern} on the screen`),
    /** The command line without a terminal, in the same place. */
    tildone: (...args: readonly string[]) =>
      spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], { cwd: project, env, encoding: "utf8" }),
    /** With more variables. */
    tildoneWith: (extra: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const options = { cwd: project, env: { ...env, ...extra }, encoding: "utf8" } as const;
      const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("bin/tildone.js"), ...args], options);
      return { out: stdout, err: stderr, status };
    },
    [Symbol.dispose]: () => {
      tmux("kill-server");
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
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
