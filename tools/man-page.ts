import type { Command } from "../src/cli/command.ts";
import { COMMAND_GROUPS } from "../src/cli/command-groups.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { STOP } from "../src/core/reason/index.ts";

/** man/tildone.1, from the same tables as `tildone help`. */
export async function manPage(): Promise<string> {
  const groups = COMMAND_GROUPS.map(async ({ title, says, commands }) => [
    `.SS ${roff(title)}`,
    roff(says),
    ...(await Promise.all(commands.map((name) => COMMANDS[name]!()))).flatMap(commandPart),
  ]);
  return `${[
    '.\\" Printed by `npm run docs` from the code; do not edit.',
    '.TH TILDONE 1 "" "tildone" "User Commands"',
    ".SH NAME",
    "tildone \\- make a coding agent work until its todo list is done and proven done",
    ".SH SYNOPSIS",
    ".B tildone",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    roff(
      "Without a command, tildone opens its terminal interface. A run is named by its id or the beginning of it; without one, the run of the current folder is meant.",
    ),
    ".SH COMMANDS",
    ...(await Promise.all(groups)).flat(),
    ".SH EXIT STATUS",
    ...exitCodes().flatMap(([code, says]) => [".TP", `\\fB${code}\\fR`, roff(says)]),
    ".SH ENVIRONMENT",
    ...Object.entries(VARIABLES).flatMap(([name, says]) => [".TP", `\\fB${name}\\fR`, roff(says)]),
    ".SH SEE ALSO",
    roff("tildone help, tildone config, and the folder docs of the package."),
  ].join("\n")}\n`;
}

const VARIABLES = {
  TILDONE_HOME: "The folder of the log and of your settings.",
  TILDONE_OFF: "If set, hooks and adapters do nothing.",
  NO_COLOR: "If set, no colour.",
};

function commandPart({ name, takes, summary, examples = [], options, details }: Command): string[] {
  return [
    ".TP",
    `\\fBtildone ${roff(name)}\\fR ${roff(takes)}`.trimEnd(),
    roff(summary),
    ".RS",
    ...(examples.length === 0 ? [] : [".PP", ".nf", ...examples.map(([typed]) => roff(typed)), ".fi"]),
    ...Object.entries(options).flatMap(([option, { type, value, says, short }]) => [
      ".TP",
      `\\fB${short === undefined ? "" : `\\-${short}, `}\\-\\-${roff(option)}\\fR${type === "string" ? ` <${roff(value ?? option)}>` : ""}`,
      roff(says),
    ]),
    ...(details === undefined ? [] : [".PP", ".nf", ...details.split("\n").map(roff), ".fi"]),
    ".RE",
  ];
}

function exitCodes(): [number, string][] {
  const codes = new Map<number, string[]>();
  for (const [reason, { exit }] of Object.entries(STOP)) codes.set(exit, [...(codes.get(exit) ?? []), reason]);
  return [
    ...[...codes].map(([code, names]): [number, string] => [code, names.join(", ")]),
    [1, "tildone failed"] as [number, string],
    [2, "wrong usage"] as [number, string],
    [130, "ended by SIGINT"] as [number, string],
    [143, "ended by SIGTERM"] as [number, string],
  ].sort(([a], [b]) => a - b);
}

/** As text: no backslash, and no dot or quote at the beginning of a line, is a command of roff. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}
