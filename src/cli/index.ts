import { STOP } from "../core/reason/index.ts";
import { nearest } from "../core/text/index.ts";
import { type Command, Failure, type Given, UsageError } from "./command.ts";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { ALIASES, COMMANDS } from "./commands.ts";
import { commandHelp, exitCodeHelp, groupHelp, mainHelp } from "./help.ts";
import { type Io, processIo } from "./io.ts";
import { parse } from "./parse.ts";
import { systemErrorText } from "./system-error.ts";
import { version } from "./version.ts";
import { wrap } from "./wrap.ts";

/** The door of the command line: never throws, always leaves an exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<void> {
  process.exitCode = await run(argv, io);
}

export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, { ...io, argv });
  } catch (error) {
    const say = ({ message }: { readonly message: string }) =>
      io.err(io.isTerminal ? wrap(`tildone: ${message}`, io.columns) : `tildone: ${message}`);
    if (error instanceof UsageError) {
      say(error);
      return 2;
    }
    if (error instanceof Failure) {
      say(error);
      return error.exit;
    }
    const refused = error instanceof Error && EXPLAINED.has(error.name) ? error.message : systemErrorText(error);
    if (refused !== undefined) {
      say({ message: refused });
      return 1;
    }
    io.err(`tildone: internal error, please report it: ${error instanceof Error ? error.stack : String(error)}`);
    return 1;
  }
}

/** Errors whose message says what to do. */
const EXPLAINED = new Set(["StoreError", "WrongConfiguration", "FleetError", "WorkerError"]);

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  if (first !== undefined && VERSION.has(first)) {
    io.out(version());
    return 0;
  }
  if (first === undefined) return (await find("chat")).run({ words: [], options: {} }, io);
  if (HELP.has(first)) {
    io.out(await help(rest[0], io));
    return 0;
  }
  if (first === "__complete") {
    const { complete, completionLines } = await import("./complete.ts");
    io.out(completionLines(await complete(rest, io)));
    return 0;
  }
  const command = await find(first);
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out(commandHelp(command, io));
    return 0;
  }
  const given: Given = command.passesOn ? { words: rest, options: {} } : parse(command, rest);
  return command.run(given, io);
}

const VERSION = new Set(["--version", "-v", "-V", "version"]);
const HELP = new Set(["--help", "-h", "help"]);

/** Help about a command, a group or a topic; without any of them, the first screen. */
async function help(about: string | undefined, io: Io): Promise<string> {
  if (about === undefined) return mainHelp(io);
  if (about === "exit-codes") return exitCodeHelp(STOP, io);
  const groups = COMMAND_GROUPS.filter(({ topic }) => about === "all" || topic === about);
  return groups.length > 0 ? groupHelp(groups, find, io) : commandHelp(await find(about), io);
}

async function find(name: string): Promise<Command> {
  const meant = Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name;
  if (Object.hasOwn(COMMANDS, meant)) return COMMANDS[meant]!();
  if (name.startsWith("-"))
    throw new UsageError(
      `There is no option ${name} here; options of the terminal interface come after "tildone chat". See tildone --help.`,
    );
  const [close] = nearest(name, Object.keys(COMMANDS));
  throw new UsageError(
    `There is no command "${name}".${close === undefined ? "" : ` Did you mean "${close}"?`} See tildone --help.`,
  );
}
