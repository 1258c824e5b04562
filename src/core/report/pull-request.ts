import { clipText, counted } from "../text/index.ts";
import { type CheckView, countText } from "../view/index.ts";
import { block, code, flat, list, section, words } from "./markdown-text.ts";
import { proofLines } from "./proof-lines.ts";
import type { Report } from "./report.ts";

/** What only who has the files knows. */
export interface Result {
  readonly branch: string;
  /** Lines that were added and removed, by file; null: it is no text. */
  readonly files: readonly ChangedFile[];
}
export interface ChangedFile {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

const TITLE = 72;
const MOST_GOAL = 2_000;
const MOST_TEXT = 300;
const MOST_ITEMS = 50;

/**
 * The description of a pull request: its title, an empty line, its text. What others wrote stands in code, where `@name` calls no one and
 * `fixes #1` closes nothing, and no part of it is longer than a reviewer reads.
 */
export function pullRequestText(report: Report, result?: Result): string {
  const { goal, run, todos, doubts, verdict } = report;
  const title = clipText(flat(goal ?? "") || `Run ${run}`, TITLE);
  const parts = [
    title,
    goal === undefined ? "" : block(clipText(goal.trim(), MOST_GOAL)),
    `${words(verdict.says)} ${countText(report)}.`,
    section(
      "What was done",
      some(todos, ({ text, status, standing }) => `[${isDone(status) ? "x" : " "}] ${quoted(text)} ${standing}`),
    ),
    section(
      "What proves it",
      some(proofLines(report), ({ who, command, says }) => `${quoted(command)} ${says} (${who})`) ||
        "No check proves it.",
    ),
    section("Doubts", some(doubts, quoted)),
    section("What changed", result ? changed(result.files) : ""),
    section("Verify it", verify(report, result)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const isDone = (status: Report["todos"][number]["status"]): boolean => status === "completed";

const quoted = (text: string): string => code(clipText(flat(text), MOST_TEXT));

/** The first of them, and how many more there are. */
function some<T>(all: readonly T[], line: (each: T) => string): string {
  const more = all.length - MOST_ITEMS;
  return list([...all.slice(0, MOST_ITEMS).map(line), ...(more > 0 ? [`and ${more} more`] : [])]);
}

function changed(files: readonly ChangedFile[]): string {
  if (files.length === 0) return "No file.";
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return [
    `${counted(files.length, "file")}, +${sum("added")} −${sum("removed")}`,
    some(files, ({ path, added, removed }) =>
      added === null ? `${quoted(path)} binary` : `${quoted(path)} +${added} −${removed ?? 0}`,
    ),
  ].join("\n\n");
}

function verify({ run, checks, todos }: Report, result: Result | undefined): string {
  const passed = ({ result: how, mayRun, suspect }: CheckView) => how === "passed" && mayRun && !suspect;
  const all = [...checks, ...todos.flatMap((todo) => todo.checks)].filter(passed).map(({ command }) => command.trim());
  const commands = [...new Set(all)].filter((command) => command.length <= MOST_TEXT).slice(0, MOST_ITEMS);
  const lines = result
    ? [`git fetch origin ${result.branch} && git switch --detach FETCH_HEAD`, ...commands]
    : [`tildone verify ${run}`];
  return `${block(lines.join("\n"), "sh")}\n\nEvery decision, check and approval: ${code(`tildone report ${run}`)}`;
}
