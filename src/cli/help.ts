import type { Command } from "./command.ts";
import type { Io } from "./io.ts";
import { usage } from "./parse.ts";
import { wrap } from "./wrap.ts";

export async function mainHelp(
  io: Io,
  commands: readonly (() => Promise<Command>)[],
  reasons: Readonly<Record<string, { readonly exit: number }>>,
): Promise<string> {
  const loaded = await Promise.all(commands.map((load) => load()));
  const lines = loaded.map((command) => entry(command.name, command.summary, io.columns));
  return [
    wrap("tildone makes a coding agent work until its list is done, and proven done.", io.columns),
    "",
    "Usage: tildone <command> [options]",
    "",
    ...lines,
    "",
    entry("--help", "This text; with a command, what that command takes.", io.columns),
    entry("--version", "The version.", io.columns),
    "",
    "A run is named by its id or the beginning of it; without one, the live run of",
    "this folder is meant.",
    "",
    ...exitCodes(reasons, io.columns),
  ].join("\n");
}

export function commandHelp(command: Command, { columns }: Io): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const left = `${option.short === undefined ? "" : `-${option.short}, `}--${name}${option.type === "string" ? ` <${option.value ?? name}>` : ""}`;
    return entry(left, option.says, columns, 28);
  });
  return [
    `Usage: ${usage(command)}${options.length > 0 ? " [options]" : ""}`,
    "",
    wrap(command.summary, columns),
    ...(command.details === undefined ? [] : ["", command.details]),
    ...(options.length > 0 ? ["", ...options] : []),
  ].join("\n");
}

function entry(left: string, right: string, columns: number, width = 14): string {
  const head = `  ${left}`;
  const text = wrap(right, columns - width).split("\n");
  const first = head.length < width ? `${head.padEnd(width)}${text[0]}` : `${head}\n${" ".repeat(width)}${text[0]}`;
  return [first, ...text.slice(1).map((line) => `${" ".repeat(width)}${line}`)].join("\n");
}

/** Printed from the table of reasons, so that the help cannot disagree with the program. */
function exitCodes(reasons: Readonly<Record<string, { readonly exit: number }>>, columns: number): string[] {
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
    "Exit codes:",
    ...rows.sort(([a], [b]) => a - b).map(([code, says]) => entry(String(code), says, columns, 8)),
  ];
}
