import { type CheckView, countText, standingRows } from "../view/index.ts";
import { amount, budgetLine, duration, moment, money, tokensLine } from "./amounts.ts";
import { approvalAnswer, approvalRows, type ReportedApproval, showsAll } from "./approvals.ts";
import { leftOutText, logStateText, unreadText } from "./log-state.ts";
import { proofLines } from "./proof-lines.ts";
import type { LeftOut, Report, ReportedTodo } from "./report.ts";
import { removedLine } from "./said.ts";
import { drawTimeline, escaped } from "./svg.ts";
import { meaningOf } from "./timeline.ts";

/** The colours of the dots on the timeline. */
const VERDICT_CLASSES = { done: "good", needs_you: "blocked", failed: "bad" } as const;
const NEEDS_YOU = 5;

/** One page that needs nothing else: no script, no font, no picture from anywhere. */
export function htmlReport(report: Report): string {
  const { run, verdict, goal } = report;
  const title = `Run ${run}: ${verdict.reason}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${goal === undefined ? "" : `<blockquote>${escaped(goal)}</blockquote>`}
<p class="${VERDICT_CLASSES[meaningOf(verdict.exit ?? NEEDS_YOU)]}">${escaped(verdict.says)}${report.judgedBefore === undefined ? "" : ` Evaluated again after you accepted it; before that it was ${escaped(report.judgedBefore)}.`}</p>
<p>${summary(report)}</p>
${drawTimeline(report.timeline)}
${section("Result", standings(report))}
${section("Todos", table(["", "todo", "standing", "proof", "spent"], report.todos.map(todoRow)))}
${section("Checks of the run", table(["command", "result"], report.checks.map(checkRow)))}
${section("What proves it", list(proofLines(report).map(({ who, command, says, repeat }) => `${who}: ${command} ${says}. Repeat it: ${repeat}`)))}
${section("Doubts", list(report.doubts))}
${section("Cut off", leftOut(report, "cutOff") + list(report.cutOff))}
${section("Approvals", leftOut(report, "approvals") + report.approvals.map((each) => approval(each, run)).join(""))}
${section("Dropped from the list", list(report.dropped))}
${section("Removed by you", leftOut(report, "removed") + list(report.removed.map(({ at, text, where }) => removedLine(at, text, where))))}
${section("Done in your name, but not at a terminal", leftOut(report, "notAtTerminal") + list(report.notAtTerminal.map(({ at, says, where }) => `${moment(at)} ${says}: ${where}`)))}
${section("Tried by the agent in your name", leftOut(report, "refused") + list(report.refused.map(({ at, says }) => `${moment(at)} ${says}`)))}
${section("Requirements", table(["", "requirement", "covered by"], report.requirements.map(requirementRow)))}
${section("Decisions", leftOut(report, "decisions") + table(["when (UTC)", "decision", "why", "rule"], report.decisions.map(decisionRow)))}
${section("Cost", cost(report))}
${section("Log", `${logState(report)}${log(report)}`)}
</body>
</html>
`;
}

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid #8884}code{font:13px ui-monospace,monospace;white-space:pre-wrap}
.good,.proven{color:#1a7f37}.bad,.failed,.abandoned{color:#cf222e}.suspect{color:#8250df}.claimed{color:#0969da}.working{color:#9a6700}.blocked{color:#6e7781}
svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:currentColor}blockquote{border-left:3px solid #8888;margin:0;padding-left:1rem}
details{margin-top:.5rem}`;

function approval(asked: ReportedApproval, run: string): string {
  const { at, approval: shown, runs } = asked;
  const block = (text: string) =>
    `<pre dir="ltr"><code>${approvalRows(text, showsAll(shown, run)).map(escaped).join("\n")}</code></pre>`;
  const edited = runs ? `<p>You changed it; this is what runs:</p>${block(runs.what)}` : "";
  return `<p>${moment(at)} <b>${escaped(shown.tool)}</b>: ${escaped(approvalAnswer(asked))}</p>${block(shown.what)}${edited}`;
}

/** Cells are HTML already; whoever makes one escapes what it holds. */
type Row = readonly string[];

function summary(report: Report): string {
  const { host, session, cwd, began, until } = report;
  const where = `${escaped(host)} session <code>${escaped(session)}</code> in <code>${escaped(cwd)}</code>`;
  return `${countText(report)} on ${where}, ${moment(began)} to ${moment(until)} UTC (${duration(until - began)}).`;
}

function standings({ standings: counts }: Report): string {
  const lines = standingRows(counts).map(
    ({ proof, glyph, count, standing, says }) =>
      `<li><b class="${proof}">${glyph} ${count} ${standing}</b>: ${escaped(says)}</li>`,
  );
  return lines.length === 0 ? "" : `<ul>${lines.join("")}</ul>`;
}

function todoRow({
  index,
  text,
  standing,
  proof: mark,
  glyph,
  reason,
  checks,
  tokens,
  cost: paid,
  activeMs,
  continuations,
}: ReportedTodo): Row {
  return [
    `${index}`,
    escaped(text),
    `<span class="${mark}">${glyph} ${standing}</span>${reason === undefined ? "" : ` ${escaped(`(${reason})`)}`}`,
    checks.map((check) => checkRow(check).join(" ")).join("<br>"),
    escaped(`${amount(tokens)} tokens, ${money(paid)}, ${duration(activeMs)}, ${continuations} continuations`),
  ];
}

function checkRow({ command, result, exit, durationMs, stale, suspect, doubt, mayRun, beside }: CheckView): Row {
  const passed = (result === "passed" || result === "observed") && !stale && !suspect;
  const more = [
    result.replace("_", " "),
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [duration(durationMs)] : []),
    ...(stale ? ["the files changed since"] : []),
    ...(mayRun ? [] : ["proposed by the agent"]),
    ...(suspect ? ["suspect"] : []),
    ...(doubt === undefined ? [] : [doubt]),
    ...(beside ? [`beside ${beside.join(", ")}`] : []),
  ].join(", ");
  return [`<code>${escaped(command)}</code>`, `<span class="${passed ? "good" : "bad"}">${escaped(more)}</span>`];
}

const requirementRow = ({ id, text, coveredBy }: Report["requirements"][number]): Row => [
  escaped(id),
  escaped(text),
  coveredBy.length > 0 ? coveredBy.map((index) => `[${index}]`).join(", ") : '<span class="bad">nothing</span>',
];

const decisionRow = ({ at, type, reason, rule, says }: Report["decisions"][number]): Row => [
  moment(at),
  escaped(`${type} ${reason}`),
  escaped(says),
  escaped(rule),
];

function cost({ spent, budget, nudges, errors }: Report): string {
  return list([
    tokensLine(spent),
    `${duration(spent.activeMs)} active, ${spent.continuations} continuations, ${nudges} nudges delivered`,
    ...budget.map(budgetLine),
    ...(errors > 0 ? [`${errors} failures of the host or of an adapter`] : []),
  ]);
}

function leftOut(report: Report, what: LeftOut): string {
  const text = leftOutText(report, what);
  return text === "" ? "" : `<p>${text}</p>`;
}

const logState = ({ log: state, unread }: Report): string =>
  (unread > 0 ? `<p class="bad">${unreadText(unread)}</p>` : "") + sealed(state);

const sealed = (state: Report["log"]): string =>
  state ? `<p class="${state.breaks.length > 0 ? "bad" : ""}">${escaped(logStateText(state))}</p>` : "";

function log(report: Report): string {
  const { events } = report;
  const rows = events.map(({ at, by, text }) => [moment(at), escaped(by), escaped(text)]);
  const left = leftOut(report, "events");
  return `<details><summary>${events.length} events</summary>${left}${table(["when (UTC)", "by", "what"], rows)}</details>`;
}

const section = (title: string, body: string): string => (body === "" ? "" : `<h2>${title}</h2>\n${body}`);

const list = (lines: readonly string[]): string =>
  lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;

function table(heads: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const head = heads.map((cell) => `<th>${cell}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}
