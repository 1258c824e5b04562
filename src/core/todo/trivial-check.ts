import { type Command, type Redirects, readShell, type Word } from "../shell/index.ts";
import type { Check } from "./check.ts";

/**
 * A check that passes whatever the work looks like proves nothing: `true`, `echo done`, `npm test || true`.
 * Every way through the line is followed; only if none can end in failure is it trivial. What is not understood may
 * fail, so an honest check is never called trivial.
 */
export function isTrivialCheck(check: Pick<Check, "run">): boolean {
  const command = typeof check.run === "string" ? readShell(check.run) : vector(check.run);
  if (command === undefined || onlyChangesDirectory(command)) return false;
  return !canFail(command, { strict: false });
}

/** How a command may leave the shell: continuing after success or failure, or ending it with a status. */
type Outcome = "passed" | "failed" | "exited_zero" | "exited_nonzero";
interface Rules {
  /** Under `set -e`, `pipefail` or a trap any failing command may end the line. */
  readonly strict: boolean;
}

function canFail(command: Command, rules: Rules): boolean {
  const strict = rules.strict || simpleCommands(command).some((words) => ["set", "trap"].includes(nameOf(words)));
  return [...outcomes(command, "passed", { strict })].some(
    (outcome) => outcome === "failed" || outcome === "exited_nonzero",
  );
}

function outcomes(command: Command, before: "passed" | "failed", rules: Rules): Set<Outcome> {
  switch (command.type) {
    case "simple":
      return readsFile(command) ? unknown(rules) : simple(wordsOf(command), before, rules);
    case "test":
      return command.operators ? unknown(rules) : simple(wordsOf(command), before, rules);
    case "compound":
      return mayLeaveEarly(command) ? anything() : unknown(rules);
    case "group": {
      if (readsFile(command)) return unknown(rules);
      const inside = outcomes(command.body, before, rules);
      return command.subshell ? contained(inside) : inside;
    }
    case "pipeline":
      return pipeline(command.commands, command.negated, before, rules);
    case "chain":
      return command.rest.reduce(
        (reached, { operator, command: next }) =>
          follow(reached, (outcome) =>
            (operator === "&&") === (outcome === "passed") ? outcomes(next, outcome, rules) : set(outcome),
          ),
        outcomes(command.first, before, rules),
      );
    case "list":
      return command.items.reduce(
        (reached, { command: next, background }) =>
          follow(reached, (outcome) => (background ? set("passed") : outcomes(next, outcome, rules))),
        set(before),
      );
  }
}

const readsFile = ({ reads }: Redirects) => reads.some(({ text }) => text !== "/dev/null");

const LEAVES_EARLY = new Set(["exit", "return", "exec", "set", "trap", "eval", "source", "."]);
const mayLeaveEarly = (command: Command) =>
  simpleCommands(command).some((words) => words.some(({ text }) => LEAVES_EARLY.has(text)));

/** Every way that continues takes the next step; a way that ended stays ended. */
function follow(reached: ReadonlySet<Outcome>, step: (outcome: "passed" | "failed") => Set<Outcome>): Set<Outcome> {
  const ways = [...reached].map((outcome) =>
    outcome === "passed" || outcome === "failed" ? step(outcome) : set(outcome),
  );
  return new Set(ways.flatMap((way) => [...way]));
}

function pipeline(commands: readonly Command[], negated: boolean, before: "passed" | "failed", rules: Rules) {
  const alone = commands.length === 1;
  const ends = commands.map((command) => outcomes(command, before, rules));
  const last = rules.strict ? new Set(ends.flatMap((set) => [...set])) : ends.at(-1)!;
  const status = alone ? last : contained(last);
  if (!negated) return status;
  const flipped = { passed: "failed", failed: "passed", exited_zero: "exited_zero", exited_nonzero: "exited_nonzero" };
  return new Set([...status].map((outcome) => flipped[outcome] as Outcome));
}

/** Commands that succeed whatever stands in the workspace. */
const ALWAYS_PASSES = new Set([
  "true",
  ":",
  "echo",
  "printf",
  "pwd",
  "date",
  "sleep",
  "whoami",
  "export",
  "unset",
  "set",
  "trap",
  "cd", // alone it is a question whether a directory exists; before another command it is only a place
]);
const PASSES_WITHOUT_ARGUMENTS = new Set(["ls", "cat"]);
const RUNS_THE_REST = new Set(["command", "builtin", "env", "time", "nice", "nohup", "sudo"]);
const RUNS_ANY_SCRIPT = new Set(["eval", "source", "."]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

function simple(words: readonly Word[], before: "passed" | "failed", rules: Rules): Set<Outcome> {
  // ": ${NAME:?}" fails when NAME is not set, and a substitution in an assignment is the assignment's status
  if (words.some(({ text, literal }) => !literal && /\$\{[^}]*\?/.test(text))) return anything();
  const assigned = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  if (assigned === -1) return words.some(({ text }) => /\$\(|`/.test(text)) ? unknown(rules) : set("passed");
  const rest = words.slice(assigned);
  const name = nameOf(rest);
  const args = rest.slice(1);
  if (ALWAYS_PASSES.has(name)) return set("passed");
  if (PASSES_WITHOUT_ARGUMENTS.has(name) && args.length === 0) return set("passed");
  if (name === "false") return set("failed");
  if (name === "exit") return exit(args, before);
  if (name === "exec" && args.length > 0) return ended(simple(args, before, rules));
  if (RUNS_ANY_SCRIPT.has(name)) return anything();
  if (RUNS_THE_REST.has(name) && args.length > 0) return simple(args, before, rules);
  if (SHELLS.has(name)) return inner(args, rules);
  if (isEmptyProgram(name, args)) return set("passed");
  const known = constantTest(name, args);
  return known === undefined ? unknown(rules) : set(known ? "passed" : "failed");
}

/** `/bin/true` is `true`; `./true` is a program of the project. */
function nameOf(words: readonly Word[]): string {
  const first = words[0];
  return first?.literal ? first.text.replace(/^(?:\/usr)?(?:\/local)?\/bin\//, "") : "";
}

function exit(args: readonly Word[], before: "passed" | "failed"): Set<Outcome> {
  const status = args[0];
  if (status === undefined) return set(before === "passed" ? "exited_zero" : "exited_nonzero");
  if (!status.literal || !/^\d+$/.test(status.text)) return anything();
  return set(Number(status.text) % 256 === 0 ? "exited_zero" : "exited_nonzero");
}

/** `sh -c "..."`: the line inside is judged by the same rules. */
function inner(args: readonly Word[], rules: Rules): Set<Outcome> {
  const [flags, script] = args;
  if (!flags?.literal || !script?.literal || !/^-[a-z]*c$/.test(flags.text)) return unknown(rules);
  const command = readShell(script.text);
  if (command === undefined) return unknown(rules);
  return canFail(command, { strict: flags.text.includes("e") }) ? unknown(rules) : set("passed");
}

const PROGRAM_FLAG: ReadonlyMap<string, string> = new Map([
  ["node", "-e"],
  ["bun", "-e"],
  ["perl", "-e"],
  ["ruby", "-e"],
  ["php", "-r"],
  ["python", "-c"],
  ["python3", "-c"],
]);
const EMPTY_PROGRAM =
  /^(?:\d*|pass|true|null|undefined|(?:import sys; ?)?(?:sys\.|process\.)?exit(?:\(0?\)| 0)?|(?:console\.log|print)\(["'][^"'$`]*["']\))?;?$/;

function isEmptyProgram(name: string, args: readonly Word[]): boolean {
  const [flag, program] = args;
  return flag?.text === PROGRAM_FLAG.get(name) && program?.literal === true && EMPTY_PROGRAM.test(program.text.trim());
}

const TEST_CLOSER: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["[[", "]]"],
]);

/** `test` and `[` over words that nothing outside can change: its answer, or undefined if the world has a say. */
function constantTest(name: string, args: readonly Word[]): boolean | undefined {
  const closer = TEST_CLOSER.get(name);
  if (name !== "test" && (closer === undefined || args.at(-1)?.text !== closer)) return undefined;
  const words = closer === undefined ? args : args.slice(0, -1);
  const [left, middle, right] = words.map(({ text }) => text);
  if (words.length === 3 && left === right && /^(==?|-eq)$/.test(middle!)) return true;
  if (words.some(({ literal }) => !literal)) return undefined;
  if (words.length === 1) return left !== "";
  if (words.length === 2 && left === "-n") return middle !== "";
  if (words.length === 2 && left === "-z") return middle === "";
  return words.length === 3 ? compare(left!, middle!, right!) : undefined;
}

function compare(left: string, operator: string, right: string): boolean | undefined {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (!/^-?\d+$/.test(left) || !/^-?\d+$/.test(right)) return undefined;
  const difference = Number(left) - Number(right);
  switch (operator) {
    case "-eq":
      return difference === 0;
    case "-ne":
      return difference !== 0;
    case "-lt":
      return difference < 0;
    case "-le":
      return difference <= 0;
    case "-gt":
      return difference > 0;
    case "-ge":
      return difference >= 0;
    default:
      return undefined;
  }
}

function onlyChangesDirectory(command: Command): boolean {
  const all = simpleCommands(command);
  return all.length > 0 && all.every((words) => nameOf(words) === "cd");
}

function simpleCommands(command: Command): readonly (readonly Word[])[] {
  switch (command.type) {
    case "simple":
    case "test":
      return [wordsOf(command)];
    case "compound":
      return command.bodies.flatMap(simpleCommands);
    case "group":
      return simpleCommands(command.body);
    case "pipeline":
      return command.commands.flatMap(simpleCommands);
    case "chain":
      return [command.first, ...command.rest.map((link) => link.command)].flatMap(simpleCommands);
    case "list":
      return command.items.flatMap((item) => simpleCommands(item.command));
  }
}

/** A pattern is not what it says: it may become any number of words. */
function wordsOf(command: Extract<Command, { type: "simple" | "test" }>): readonly Word[] {
  const words = command.type === "simple" ? [...command.assignments, ...command.words] : command.words;
  return words.map((word) => ({ ...word, literal: word.literal && !word.pattern }));
}

/** An argument vector knows no shell: `||` in it is a word like any other. */
function vector(run: readonly string[]): Command {
  const words = run.map((text) => ({ text, literal: true, pattern: false, runs: [] }));
  const isEmpty = run[0] === undefined || run[0].trim() === "";
  return { type: "simple", assignments: [], words: isEmpty ? [] : words, writes: [], reads: [], feeds: [] };
}

function set(...all: Outcome[]): Set<Outcome> {
  return new Set(all);
}
function unknown(rules: Rules): Set<Outcome> {
  return rules.strict ? set("passed", "failed", "exited_nonzero") : set("passed", "failed");
}
function anything(): Set<Outcome> {
  return set("passed", "failed", "exited_zero", "exited_nonzero");
}
/** `exit` inside a subshell or a pipeline ends only that. */
function contained(inside: ReadonlySet<Outcome>): Set<Outcome> {
  const outside = { passed: "passed", failed: "failed", exited_zero: "passed", exited_nonzero: "failed" } as const;
  return new Set([...inside].map((outcome) => outside[outcome]));
}
/** `exec` never comes back. */
function ended(inside: ReadonlySet<Outcome>): Set<Outcome> {
  const end = {
    passed: "exited_zero",
    failed: "exited_nonzero",
    exited_zero: "exited_zero",
    exited_nonzero: "exited_nonzero",
  } as const;
  return new Set([...inside].map((outcome) => end[outcome]));
}
