import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Call, ModelRequest, Script, Step } from "../../../src/testing/index.ts";
import { askedFor } from "../pi/models.ts";
import { openSandbox, type Sandbox } from "../pi/sandbox.ts";
import { openTerminal, type PiTerminal } from "../pi/terminal.ts";
import type { Size } from "../tmux.ts";

export const LONG = { timeout: 90_000 };

export interface TildoneTerminal extends AsyncDisposable {
  readonly box: Sandbox;
  readonly terminal: PiTerminal;
  /** Writes the words into the editor and sends them once all of them stand there. */
  say(words: string): Promise<void>;
  /** The process is killed, and another one continues with the session in a terminal of its own. */
  goOnAfterKill(): Promise<void>;
  /** What the model was told, in all requests. */
  told(): string;
}

export interface TerminalGiven {
  readonly script: Script;
  /** What is said at once. */
  readonly words?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of pi. */
  readonly settings?: object;
  /** In the project's folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Slash commands of the user, by name. */
  readonly commands?: Readonly<Record<string, string>>;
  readonly size?: Size;
  /** Options of the command line; absent: those that name the scripted model. */
  readonly flags?: readonly string[];
  /** The session is kept on disk, to be gone on with. */
  readonly keepsSession?: boolean;
}

/** tildone's own terminal interface as a user starts it, in a terminal of 80 by 24 unless another is given. */
export async function openTildone({
  script,
  words,
  env,
  settings = {},
  files,
  commands,
  size,
  flags = ["--provider", "scripted", "--model", "m"],
  keepsSession = false,
}: TerminalGiven): Promise<TildoneTerminal> {
  const box = await openSandbox({ script, settings, env: { TILDONE_COUNTDOWN: "50ms", ...env } });
  for (const [path, text] of Object.entries(files ?? {})) write(join(box.cwd, path), text);
  for (const [name, text] of Object.entries(commands ?? {}))
    write(join(box.root, "tildone", "commands", `${name}.md`), text);
  const bare = ["-ns", "-np", "-nc", "-ne", "--no-themes", ...(keepsSession ? [] : ["--no-session"])];
  const argv = [resolve("bin/tildone.js"), "chat", ...flags, ...bare];
  const start = (...more: readonly string[]) =>
    openTerminal({ ...box, argv, size: size ?? { columns: 80, rows: 24 } }, ...more);
  let terminal = start(...(words === undefined ? [] : [words]));
  return {
    box,
    get terminal() {
      return terminal;
    },
    goOnAfterKill: async () => {
      await terminal.kill();
      terminal[Symbol.dispose]();
      terminal = start("--continue");
    },
    told: () => box.model.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join("\n"),
    say: async (line) => {
      await terminal.shows(/continuatio/); // it listens
      terminal.type(line);
      const isWhole = `─\\n ?${escaped(line)} *\\n─+\\n`;
      await terminal.shows(new RegExp(line.includes(" ") ? `${isWhole}(?!→)` : isWhole)); // Enter would take what is offered
      terminal.keys("Enter");
    },
    [Symbol.asyncDispose]: async () => {
      terminal[Symbol.dispose]();
      await box[Symbol.asyncDispose]();
    },
  };
}

/** A model that runs one command of the shell for each item that it is asked for, and stops after each. */
export const runs =
  (...commands: readonly string[]) =>
  (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
    const item = askedFor(request);
    if (item === undefined) return { calls: [["write_todos", listOf(commands)]] };
    const call = (action: string): Call => ["edit_todos", { action, indices: [item] }];
    return { calls: [call("start"), ["bash", { command: commands[item]! }], call("complete")] };
  };

const listOf = (commands: readonly string[]) => ({
  mode: "replace",
  todos: commands.map((_, index) => ({ text: `item ${index}` })),
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
