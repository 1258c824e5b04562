import { execFileSync, spawnSync } from "node:child_process";
import { afterEach } from "vitest";
import type { OpenCode } from "./opencode.ts";
import { openCodePath } from "./opencode-stage.ts";
import type { Sandbox } from "./sandbox.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const WAIT_MS = 200_000;

/** OpenCode's own screen in a real terminal, with a tmux server that belongs to the test alone. */
export function useTerminal() {
  const socket = `tildone-opencode-${process.pid}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
  afterEach(() => void spawnSync("tmux", ["-L", socket, "kill-server"]));

  const until = async (what: string, holds: (screen: string) => boolean): Promise<string> => {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const screen = tmux("capture-pane", "-p", "-t", "tui");
      if (holds(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${screen}`);
      await new Promise((done) => setTimeout(done, 100)); // a terminal does not tell that it changed
    }
  };
  const shows = (pattern: RegExp): Promise<string> => until(String(pattern), (screen) => pattern.test(screen));
  const press = (key: string) => tmux("send-keys", "-t", "tui", key);
  const write = (text: string) => tmux("send-keys", "-t", "tui", "-l", text);

  return {
    until,
    shows,
    press,
    /** OpenCode with its first prompt; when it ends the terminal stays, and tells how. */
    open(sandbox: Sandbox, { env }: OpenCode): void {
      const all = { ...sandbox.env, ...env, TERM: "xterm-256color" };
      const line = ["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`), openCodePath];
      const command = [...line, "--prompt", "do it all"].map((word) => `'${word}'`).join(" ");
      const place = ["-d", "-s", "tui", "-x", "140", "-y", "50", "-c", sandbox.project];
      tmux("new-session", ...place, command, ";", "set-option", "remain-on-exit", "on");
    },
    async says(words: string): Promise<void> {
      write(words);
      await until(words, (screen) => screen.includes(words));
      press("Enter");
    },
    /** The first key takes what the menu of commands offers, the second sends it. */
    async commands(name: string): Promise<void> {
      const offer = new RegExp(`/${name} +tildone:`);
      write(`/${name}`);
      await shows(offer);
      press("Enter");
      await until("the menu to close", (screen) => !offer.test(screen));
      press("Enter");
    },
    /** The user leaves; resolves with OpenCode's exit status. */
    async leaves(): Promise<number> {
      press("C-c");
      await until("the end", () => tmux("display-message", "-p", "-t", "tui", "#{pane_dead}").trim() === "1");
      return Number(tmux("display-message", "-p", "-t", "tui", "#{pane_dead_status}"));
    },
  };
}
