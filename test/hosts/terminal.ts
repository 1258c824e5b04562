import { execFileSync, spawnSync } from "node:child_process";
import { afterEach } from "vitest";
import type { RealHost } from "./hosts.ts";
import type { Sandbox } from "./sandbox.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const WAIT_MS = 120_000;

/** A host's own screen in a real terminal, with a tmux server that belongs to the test alone. */
export interface HostTerminal {
  /** Starts the host with its first prompt. */
  open(host: RealHost, sandbox: Sandbox, binary: string, url: string, prompt: string): Promise<void>;
  /** Starts any program in the sandbox, with nothing of this machine. */
  start(sandbox: Sandbox, env: Readonly<Record<string, string>>, words: readonly string[], columns?: string): void;
  /** Everything on the screen and above it, once it shows this. */
  shows(pattern: RegExp): Promise<string>;
  screen(): string;
  press(key: string): void;
  /** Types the words and sends them; where `isHeard` is given, until they are heard. */
  says(words: string, isHeard?: () => boolean): Promise<void>;
}

export function useHostTerminal(): HostTerminal {
  const socket = `tildone-host-${process.pid}`;
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
  afterEach(() => void spawnSync("tmux", ["-L", socket, "kill-server"]));
  // Lines that the terminal broke are one line again.
  const screen = (): string => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "tui");
  const press = (key: string): void => void tmux("send-keys", "-t", "tui", key);
  const until = async (what: string, holds: (text: string) => boolean): Promise<string> => {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const text = screen();
      if (holds(text)) return text;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 100)); // a terminal does not tell that it changed
    }
  };
  const start: HostTerminal["start"] = (sandbox, env, words, columns = "140") => {
    const all = { ...sandbox.env, ...env, TERM: "xterm-256color", NO_COLOR: "1" };
    const line = ["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`)];
    const command = [...line, ...words].map((word) => `'${word}'`).join(" ");
    const place = ["-d", "-s", "tui", "-x", columns, "-y", "50", "-c", sandbox.project];
    tmux("new-session", ...place, command, ";", "set-option", "remain-on-exit", "on");
  };
  return {
    screen,
    press,
    start,
    shows: (pattern) => until(String(pattern), (text) => pattern.test(text)),
    async open(host, sandbox, binary, url, prompt) {
      start(sandbox, host.env(sandbox, url), host.screen.line(binary, prompt));
      const { asks } = host.screen;
      if (!asks) return;
      const [choose, take] = asks.keys;
      await until(`${host.name} to ask`, (text) => text.includes(asks.shows));
      // A key that comes while it draws is lost; there is nothing below the second one.
      await until("the answer to be chosen", (text) => {
        const isChosen = asks.chosen.test(text);
        if (!isChosen) press(choose);
        return isChosen;
      });
      press(take);
      await until(`${host.name} to begin`, (text) => text.includes(asks.begins));
    },
    async says(words, isHeard = () => true) {
      tmux("send-keys", "-t", "tui", "-l", words);
      await until(words, (text) => text.includes(words));
      const deadline = performance.now() + WAIT_MS;
      // A busy screen may take Enter for a part of what was pasted; Enter on an empty line says nothing.
      for (;;) {
        press("Enter");
        for (let looks = 0; looks < 50; looks++) {
          if (isHeard()) return;
          await new Promise((done) => setTimeout(done, 200));
        }
        if (performance.now() > deadline) throw new Error(`not heard: ${words}:\n${screen()}`);
      }
    },
  };
}
