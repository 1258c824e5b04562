import { readWorkflows } from "../compose/index.ts";
import { describeConfig, HOOK_HOSTS, HOST_NAMES } from "../config/index.ts";
import { summaryOf } from "../engine/index.ts";
import { userWorkflows } from "../workflows/index.ts";
import type { Command, Completes } from "./command.ts";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { ALIASES, COMMANDS } from "./commands.ts";
import { withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickRun, readRun, runsOf } from "./pick-run.ts";
import { clip } from "./wrap.ts";

/** What a shell offers for the last of these words, with what it means. */
export interface Candidate {
  readonly value: string;
  readonly says: string;
}

/** The shell completes a file name itself. */
const FILES: Candidate = { value: ":files", says: "" };
const MOST_RUNS = 50;

/** `words` is the line after `tildone` up to the cursor; the last one is being typed. */
export async function complete(words: readonly string[], io: Io): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const offered = await candidates(words.slice(0, -1), typed, io);
  return offered.filter(({ value }) => value === FILES.value || value.startsWith(typed));
}

/** One candidate a line, a tab before what it means. */
export const completionLines = (offered: readonly Candidate[]): string =>
  offered.map(({ value, says }) => `${value}\t${clip(says, 100)}`).join("\n");

async function candidates(before: readonly string[], typed: string, io: Io): Promise<readonly Candidate[]> {
  const [first, ...rest] = before;
  if (first === undefined) return [...(await commands()), ...named(["help", "--help", "--version"])];
  if (first === "help") return [...(await commands()), ...topics()];
  const name = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first;
  if (!Object.hasOwn(COMMANDS, name)) return [];
  const command = await COMMANDS[name]!();
  const open = openOption(command, rest);
  if (open !== undefined) return values(open.completes ?? "text", rest, io);
  if (typed.startsWith("-"))
    return [...Object.entries(command.options), ["help", { says: "Examples and options." }] as const].map(
      ([option, { says }]) => ({ value: `--${option}`, says }),
    );
  const position = positionals(command, rest).length;
  return values(command.completes?.[position] ?? "text", rest, io);
}

/** The option whose value is being typed. */
function openOption(command: Command, rest: readonly string[]) {
  const last = rest.at(-1);
  const option = Object.entries(command.options).find(
    ([name, { short }]) => last === `--${name}` || (short !== undefined && last === `-${short}`),
  )?.[1];
  return option?.type === "string" ? option : undefined;
}

function positionals(command: Command, rest: readonly string[]): readonly string[] {
  return rest.filter((word, at) => !word.startsWith("-") && openOption(command, rest.slice(0, at)) === undefined);
}

async function values(what: Completes, rest: readonly string[], io: Io): Promise<readonly Candidate[]> {
  if (typeof what === "object") return named(what);
  switch (what) {
    case "run":
      return runIds(io);
    case "todo":
      return todoIndices(rest, io);
    case "host":
      return named(HOST_NAMES);
    case "hook-host":
      return named(HOOK_HOSTS);
    case "workflow":
      return userWorkflows(await readWorkflows(io)).map(({ definition: { commandName, name } }) => ({
        value: commandName,
        says: name,
      }));
    case "setting":
      return describeConfig().map(({ key, says }) => ({ value: key, says }));
    case "file":
      return [FILES];
    case "text":
      return [];
  }
}

/** Those of this folder first. */
const runIds = (io: Io): Promise<readonly Candidate[]> =>
  withStore(io, async (store) => {
    const all = await store.reader.cards();
    const cards = new Set([...runsOf(io.cwd, all), ...all]);
    return [...cards].slice(0, MOST_RUNS).map((card) => {
      const { goal, done, total } = summaryOf(card);
      return { value: card.run, says: `${done}/${total} ${goal ?? card.cwd}` };
    });
  });

const todoIndices = (rest: readonly string[], io: Io): Promise<readonly Candidate[]> =>
  withStore(io, async (store) => {
    const at = rest.indexOf("--run");
    const { run } = await readRun(
      store,
      await pickRun(store, at < 0 ? undefined : rest[at + 1], { ...io, err: () => {} }),
    );
    return run.plan.todos.map(({ text }, index) => ({ value: String(index), says: text }));
  }).catch(() => []); // no run here: there is nothing to offer

const commands = async (): Promise<readonly Candidate[]> =>
  Promise.all(
    COMMAND_GROUPS.flatMap(({ commands }) => commands).map(async (name) => ({
      value: name,
      says: (await COMMANDS[name]!()).summary,
    })),
  );

const topics = (): readonly Candidate[] => [
  ...COMMAND_GROUPS.map(({ topic, says }) => ({ value: topic, says })),
  { value: "all", says: "Every command in one line." },
  { value: "exit-codes", says: "What scripts can rely on." },
];

const named = (names: readonly string[]): readonly Candidate[] => names.map((value) => ({ value, says: "" }));
