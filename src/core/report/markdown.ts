import { counted } from "../text/index.ts";
import { type CheckView, countText, standingRows } from "../view/index.ts";
import { amount, budgetLine, changesLine, duration, moment, money, tokensLine } from "./amounts.ts";
import { approvalAnswer, approvalRows, type ReportedApproval, showsAll } from "./approvals.ts";
import { leftOutText, logStateText, unreadText } from "./log-state.ts";
import { block, code, list, section, words } from "./markdown-text.ts";
import { proofLines } from "./proof-lines.ts";
import type { LeftOut, Report, ReportedTodo } from "./report.ts";
import { removedLine } from "./said.ts";

/** The report for a terminal, a pull request or a chat. What others wrote is escaped: it shows, it does not act. */
export function markdownReport(report: Report): string {
  const parts = [
    heading(report),
    section("Result", standings(report)),
    section("Todos", table(["", "todo", "standing", "proof", "changed", "spent"], report.todos.map(todoRow))),
    section(
      "Checks of the run",
      table(
        ["command", "result"],
        report.checks.map((check) => [code(check.command), checkWords(check)]),
      ),
    ),
    section(
      "What proves it",
      list(
        proofLines(report).map(
          ({ who, command, says, repeat }) => `${words(who)}: ${code(command)} ${says}. Repeat it: ${code(repeat)}`,
        ),
      ),
    ),
    section("Doubts", list(report.doubts.map(words))),
    section("Cut off", newest(report, "cutOff", list(report.cutOff.map(words)))),
    section(
      "Approvals",
      newest(report, "approvals", report.approvals.map((each) => approval(each, report.run)).join("\n\n")),
    ),
    section("Dropped from the list", list(report.dropped.map(words))),
    section(
      "Removed by you",
      newest(report, "removed", list(report.removed.map(({ at, text, where }) => words(removedLine(at, text, where))))),
    ),
    section(
      "Done in your name, but not at a terminal",
      newest(
        report,
        "notAtTerminal",
        list(report.notAtTerminal.map(({ at, says, where }) => words(`${moment(at)} ${says}: ${where}`))),
      ),
    ),
    section(
      "Tried by the agent in your name",
      newest(report, "refused", list(report.refused.map(({ at, says }) => words(`${moment(at)} ${says}`)))),
    ),
    section("Requirements", table(["", "requirement", "covered by"], report.requirements.map(requirementRow))),
    section(
      "Decisions",
      newest(report, "decisions", table(["when", "decision", "why", "rule"], report.decisions.map(decisionRow))),
    ),
    section("Cost", cost(report)),
    section("Log", [unreadText(report.unread), report.log ? logStateText(report.log) : ""].filter(Boolean).join(" ")),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function heading(report: Report): string {
  const { verdict, host, began, until, run, goal, judgedBefore } = report;
  return [
    `# Run ${words(run)}: ${words(verdict.reason)}`,
    ...(goal === undefined ? [] : [`> ${words(goal)}`]),
    `${words(verdict.says)}${judgedBefore === undefined ? "" : ` Evaluated again after you accepted it; before that it was ${words(judgedBefore)}.`}`,
    `${countText(report)} on ${words(host)}, ${moment(began)} to ${moment(until)} UTC (${duration(until - began)}).`,
  ].join("\n\n");
}

const standings = ({ standings: counts }: Report): string =>
  list(standingRows(counts).map(({ glyph, count, standing, says }) => `${glyph} ${count} ${standing}: ${says}`));

function todoRow({
  index,
  text,
  standing,
  glyph,
  reason,
  checks,
  tokens,
  cost: paid,
  activeMs,
  changes,
}: ReportedTodo): readonly string[] {
  const why = reason === undefined ? "" : ` (${words(reason)})`;
  const proof = checks.map((check) => `${code(check.command)} ${checkWords(check)}`).join("; ");
  return [
    `${index}`,
    words(text),
    `${glyph} ${standing}${why}`,
    proof,
    changesLine(changes),
    `${amount(tokens)} tokens, ${money(paid)}, ${duration(activeMs)}`,
  ];
}

function checkWords({ result, exit, durationMs, stale, suspect, doubt, mayRun, beside }: CheckView): string {
  return [
    result.replace("_", " "),
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [duration(durationMs)] : []),
    ...(stale ? ["the files changed since"] : []),
    ...(mayRun ? [] : ["proposed by the agent"]),
    ...(suspect ? ["**suspect**"] : []),
    ...(doubt === undefined ? [] : [words(doubt)]),
    ...(beside ? [`beside ${words(beside.join(", "))}`] : []),
  ].join(", ");
}

const requirementRow = ({ id, text, coveredBy }: Report["requirements"][number]): readonly string[] => [
  words(id),
  words(text),
  coveredBy.length > 0 ? coveredBy.map((index) => `[${index}]`).join(", ") : "**nothing**",
];

/** What a section holds, after a line that says how much of it is not shown. */
const newest = (report: Report, what: LeftOut, body: string): string =>
  [leftOutText(report, what), body].filter((part) => part !== "").join("\n\n");

const decisionRow = ({ at, type, reason, rule, says }: Report["decisions"][number]): readonly string[] => [
  moment(at),
  `${type} ${reason}`,
  words(says),
  words(rule),
];

/** What was shown, sign for sign; of a long one the beginning, the end, and how to see the rest. */
function approval(asked: ReportedApproval, run: string): string {
  const { at, approval: shown, runs } = asked;
  const edited = runs
    ? ["", "You changed it; this is what runs:", "", block(approvalRows(runs.what, showsAll(shown, run)).join("\n"))]
    : [];
  return [
    `- ${moment(at)} ${words(shown.tool)}: ${approvalAnswer(asked)}`,
    "",
    block(approvalRows(shown.what, showsAll(shown, run)).join("\n")),
    ...edited,
  ].join("\n");
}

function cost({ spent, budget, nudges, errors }: Report): string {
  return list([
    tokensLine(spent),
    `${duration(spent.activeMs)} active, ${counted(spent.continuations, "continuation")}, ${counted(nudges, "nudge")} delivered`,
    ...budget.map(budgetLine),
    ...(errors > 0 ? [`${counted(errors, "failure")} of the host or of an adapter`] : []),
  ]);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [row(heads), row(heads.map(() => "---")), ...rows.map(row)].join("\n");
}
