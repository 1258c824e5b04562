import type { Command } from "./command.ts";
import { COMMAND_GROUPS, type CommandGroup } from "./command-groups.ts";
import { usage } from "./parse.ts";
import { width, wrap } from "./wrap.ts";

interface Screen {
  readonly columns: number;
}

const EXAMPLES = [
  ["tildone demo", "see it work; no key needed"],
  ['tildone run "fix the tests" --check "npm test"', "unattended, until done"],
  ["tildone", "the same, and you watch"],
  ["tildone status", "what runs, what waits for you"],
  ["tildone hold", "stop now; resume continues"],
] as const;

/** One screen. It loads no command, so it is there at once. */
export function mainHelp({ columns }: Screen): string {
  return [
    wrap("tildone makes a coding agent work until its todo list is done and proven done.", columns),
    "",
    ...exampleLines(EXAMPLES, columns),
    "",
    ...COMMAND_GROUPS.map(({ title, commands }) => entry(title, commands.join("  "), columns, 12)),
    "",
    ...exampleLines(
      [
        ["tildone help <command>", "examples and options"],
        ["tildone help <group>", `${COMMAND_GROUPS.map(({ topic }) => topic).join(", ")}`],
        ["tildone help all", "every command in one line"],
        ["tildone help exit-codes", "what scripts can rely on"],
        ["tildone --version", ""],
      ],
      columns,
    ),
  ].join("\n");
}

/** Every command of those groups, with its summary. */
export async function groupHelp(
  groups: readonly CommandGroup[],
  load: (name: string) => Promise<Command>,
  { columns }: Screen,
): Promise<string> {
  const parts = groups.map(async ({ title, says, commands }) => {
    const loaded = await Promise.all(commands.map(load));
    return [`${title}: ${says}`, "", ...loaded.map(({ name, summary }) => entry(name, summary, columns))].join("\n");
  });
  return (await Promise.all(parts)).join("\n\n");
}

export function commandHelp(command: Command, { columns }: Screen): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const left = `${option.short === undefined ? "" : `-${option.short}, `}--${name}${option.type === "string" ? ` <${option.value ?? name}>` : ""}`;
    return entry(left, option.says, columns, 28);
  });
  const { examples = [], details } = command;
  return [
    wrap(command.summary, columns),
    ...(examples.length > 0 ? ["", ...exampleLines(examples, columns)] : []),
    "",
    `Usage: ${usage(command)}${options.length > 0 ? " [options]" : ""}`,
    ...(options.length > 0 ? ["", ...options] : []),
    ...(details === undefined ? [] : ["", paragraphs(details, columns)]),
  ].join("\n");
}

/** Lines of prose flow together and are broken where the screen ends; indented ones are examples and stay as they are. */
const paragraphs = (text: string, columns: number): string => wrap(text.replace(/(?<=\S)\n(?=[^\s])/g, " "), columns);

/** Printed from the table of reasons, so that the help cannot disagree with the program. */
export function exitCodeHelp(
  reasons: Readonly<Record<string, { readonly exit: number }>>,
  { columns }: Screen,
): string {
  const codes = new Map<number, string[]>();
  for (const [reason, { exit }] of Object.entries(reasons)) codes.set(exit, [...(codes.get(exit) ?? []), reason]);
  const rows: [number, string][] = [
    ...[...codes].map(([exit, names]): [number, string] => [exit, names.join(", ")]),
    [1, "tildone failed"],
    [2, "wrong usage"],
    [130, "ended by SIGINT"],
    [143, "ended by SIGTERM"],
  ];
  return [
    "Exit codes of tildone run, with the reasons that tildone why explains:",
    "",
    ...rows.sort(([a], [b]) => a - b).map(([code, says]) => entry(String(code), says, columns, 8)),
    "",
    wrap("done_unproven exits 0 if you gave no check. Every other command exits 0, 1 or 2.", columns),
  ].join("\n");
}

/** What is typed on the left, what it does on the right, or below where both do not fit. */
export function exampleLines(examples: readonly (readonly [string, string])[], columns: number): string[] {
  const left = Math.max(...examples.map(([typed]) => width(typed)).filter((each) => each <= WIDEST));
  return examples.flatMap(([typed, says]) => {
    if (says === "") return [`  ${typed}`];
    return width(typed) <= left
      ? entry(typed, says, columns, left + 4).split("\n")
      : [
          `  ${typed}`,
          ...wrap(says, columns - 6)
            .split("\n")
            .map((line) => `      ${line}`),
        ];
  });
}

const WIDEST = 48;

function entry(left: string, right: string, columns: number, before = 14): string {
  const head = `  ${left}`;
  const text = wrap(right.replaceAll("\n", " "), columns - before).split("\n");
  const first = width(head) < before ? `${head.padEnd(before)}${text[0]}` : `${head}\n${" ".repeat(before)}${text[0]}`;
  return [first, ...text.slice(1).map((line) => `${" ".repeat(before)}${line}`)].join("\n");
}
