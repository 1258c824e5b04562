import { counted } from "../text/index.ts";
import { type CheckView, countText, standingRows } from "../view/index.ts";
import { amount, budgetLine, duration, moment, money, tokensLine } from "./amounts.ts";
import { approvalAnswer, approvalRows, type ReportedApproval, showsAll } from "./approvals.ts";
import { DESIGN, REPORT_DESIGN } from "./design.ts";
import { leftOutText, logStateText, unreadText } from "./log-state.ts";
import { proofLines } from "./proof-lines.ts";
import type { LeftOut, Report, ReportedTodo } from "./report.ts";
import { removedLine } from "./said.ts";
import { drawTimeline, escaped } from "./svg.ts";
import { meaningOf } from "./timeline.ts";

const NEEDS_YOU = 5;
const WORKING = "working";
/** In characters: a longer goal is set as a paragraph. */
const LONG_TITLE = 120;

/** One page that needs nothing else: no script, no font, no picture from anywhere. */
export function htmlReport(report: Report): string {
  const { run, verdict, goal } = report;
  const title = goal ?? `Run ${run}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`${title}: ${verdict.reason}`)}</title>
<style>${DESIGN}${REPORT_DESIGN}</style>
</head>
<body>
<main>
<header>
<p class="small muted">tildone report · run <code>${escaped(run)}</code></p>
<h1${title.length > LONG_TITLE ? ' class="long"' : ""}>${escaped(title)}</h1>
<p class="verdict"><span class="badge ${verdict.reason === WORKING ? "running" : meaningOf(verdict.exit ?? NEEDS_YOU)}">${escaped(verdict.reason.replaceAll("_", " "))}</span> ${escaped(verdict.says)}${report.judgedBefore === undefined ? "" : ` Evaluated again after you accepted it; before that it was ${escaped(report.judgedBefore)}.`}</p>
<p class="small muted">${summary(report)}</p>
</header>
${numbers(report)}
${section("Timeline", drawTimeline(report.timeline))}
${section("Result", standings(report))}
${section("Todos", todoList(report))}
${section("Checks of the run", report.checks.map((check) => checkBlock(check, report)).join(""))}
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
</main>
</body>
</html>
`;
}

function summary(report: Report): string {
  const { host, session, cwd, began, until } = report;
  const where = `${escaped(host)} session <code>${escaped(session)}</code> in <code>${escaped(cwd)}</code>`;
  return `${countText(report)} · ${where}, ${moment(began)} to ${moment(until)} UTC (${duration(until - began)}).`;
}

/** What you want to know in five seconds. */
function numbers(report: Report): string {
  const { done, total, proven, spent, began, until, todos } = report;
  const changed = todos.flatMap(({ changes }) => changes ?? []);
  const sum = (of: (each: (typeof changed)[number]) => number) => changed.reduce((all, each) => all + of(each), 0);
  const shown: readonly (readonly [value: string, name: string])[] = [
    [countText({ done, total, proven }).split(" · ")[0]!.replace(" done", ""), "todos done"],
    [String(proven), "proven"],
    [duration(until - began), "from start to end"],
    [amount(spent.tokens), "tokens counted"],
    [money(spent.cost), "cost"],
    ...(changed.length > 0
      ? [[`+${amount(sum(({ added }) => added))} −${amount(sum(({ removed }) => removed))}`, "lines changed"] as const]
      : []),
  ];
  const items = shown.map(
    ([value, name]) => `<li class="card num"><b>${escaped(value)}</b><span class="small muted">${name}</span></li>`,
  );
  return `<ul class="numbers">${items.join("")}</ul>`;
}

function approval(asked: ReportedApproval, run: string): string {
  const { at, approval: shown, runs } = asked;
  const block = (text: string) =>
    `<pre class="code" dir="ltr" tabindex="0"><code>${approvalRows(text, showsAll(shown, run)).map(escaped).join("\n")}</code></pre>`;
  const edited = runs ? `<p>You changed it; this is what runs:</p>${block(runs.what)}` : "";
  return `<p>${moment(at)} <b>${escaped(shown.tool)}</b>: ${escaped(approvalAnswer(asked))}</p>${block(shown.what)}${edited}`;
}

/** Cells are HTML already; the code that makes one escapes what it holds. */
type Row = readonly string[];

function standings({ standings: counts }: Report): string {
  const lines = standingRows(counts).map(
    ({ proof, glyph, count, standing, says }) =>
      `<li><b class="t-${proof}">${glyph} ${count} ${standing}</b>: ${escaped(says)}</li>`,
  );
  return lines.length === 0 ? "" : `<ul>${lines.join("")}</ul>`;
}

const todoList = (report: Report): string =>
  report.todos.length === 0
    ? ""
    : `<ol class="todos">${report.todos.map((todo) => todoItem(todo, report)).join("")}</ol>`;

function todoItem(todo: ReportedTodo, report: Report): string {
  const {
    index,
    text,
    standing,
    proof,
    glyph,
    reason,
    checks,
    tokens,
    cost: paid,
    activeMs,
    continuations,
    changes,
  } = todo;
  const facts = [
    `<span class="badge ${proof}">${glyph} ${standing}</span>`,
    ...(reason === undefined ? [] : [`<span class="muted">(${escaped(reason)})</span>`]),
    ...(tokens + activeMs + continuations > 0
      ? [
          `<span class="muted num">${escaped(`${amount(tokens)} tokens, ${money(paid)}, ${duration(activeMs)}, ${counted(continuations, "continuation")}`)}</span>`,
        ]
      : []),
    ...(changes
      ? [
          `<span class="num">${counted(changes.files, "file")} <span class="t-good">+${changes.added}</span> <span class="t-bad">−${changes.removed}</span></span>`,
        ]
      : []),
  ];
  return `<li><div><span class="muted num">[${index}]</span> ${escaped(text)}</div><div class="facts small">${facts.join("")}</div>${checks.map((check) => checkBlock(check, report)).join("")}</li>`;
}

/** A check and its result; of one that did not pass, the end of its output. */
function checkBlock(check: CheckView, { outputs }: Report): string {
  const { command, result, exit, durationMs, stale, suspect, doubt, mayRun, beside } = check;
  const passed = (result === "passed" || result === "observed") && !stale && !suspect;
  const more = [
    ...(exit ? [`exit ${exit}`] : []),
    ...(durationMs > 0 ? [duration(durationMs)] : []),
    ...(stale ? ["the files changed since"] : []),
    ...(mayRun ? [] : ["proposed by the agent"]),
    ...(suspect ? ["suspect"] : []),
    ...(doubt === undefined ? [] : [doubt]),
    ...(beside ? [`beside ${beside.join(", ")}`] : []),
  ].join(", ");
  const tone = passed ? "good" : suspect ? "suspect" : result === "not run" ? "" : "bad";
  const output = passed || result === "not run" ? "" : (outputs[check.key] ?? check.tail ?? "");
  const shown = output === "" ? "" : `<pre class="code" dir="ltr" tabindex="0"><code>${escaped(output)}</code></pre>`;
  return `<div class="check"><div class="facts small"><span class="badge ${tone}">${escaped(result.replace("_", " "))}</span> <code>${escaped(command)}</code> <span class="muted">${escaped(more)}</span></div>${shown}</div>`;
}

const requirementRow = ({ id, text, coveredBy }: Report["requirements"][number]): Row => [
  escaped(id),
  escaped(text),
  coveredBy.length > 0 ? coveredBy.map((index) => `[${index}]`).join(", ") : '<span class="t-bad">nothing</span>',
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
    `${duration(spent.activeMs)} active, ${counted(spent.continuations, "continuation")}, ${counted(nudges, "nudge")} delivered`,
    ...budget.map(budgetLine),
    ...(errors > 0 ? [`${counted(errors, "failure")} of the host or of an adapter`] : []),
  ]);
}

function leftOut(report: Report, what: LeftOut): string {
  const text = leftOutText(report, what);
  return text === "" ? "" : `<p class="small muted">${text}</p>`;
}

const logState = ({ log: state, unread }: Report): string =>
  (unread > 0 ? `<p class="t-bad">${unreadText(unread)}</p>` : "") + sealed(state);

const sealed = (state: Report["log"]): string =>
  state ? `<p class="${state.breaks.length > 0 ? "t-bad" : "muted"}">${escaped(logStateText(state))}</p>` : "";

function log(report: Report): string {
  const { events } = report;
  const rows = events.map(({ at, by, text }) => [moment(at), escaped(by), escaped(text)]);
  const left = leftOut(report, "events");
  return `<details><summary>${counted(events.length, "event")}</summary>${left}${table(["when (UTC)", "by", "what"], rows)}</details>`;
}

const section = (title: string, body: string): string =>
  body === "" ? "" : `<section class="card"><h2>${title}</h2>\n${body}</section>`;

const list = (lines: readonly string[]): string =>
  lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;

/** A table may be wider than a phone: then it scrolls, and the page does not. */
function table(heads: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const head = heads.map((cell) => `<th scope="col">${cell}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}
