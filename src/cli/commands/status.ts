import { clockTime, span } from "../../core/text/index.ts";
import { isAgedOut, type ReadRun, type RunCard, summaryOf } from "../../engine/index.ts";
import { type Command, has, JSON_OPTION } from "../command.ts";
import { configWarnings } from "../config-warnings.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { pickRun, readRun } from "../pick-run.ts";
import { bodyLines, WAITING_FOR_YOU } from "../show-asks.ts";
import { showRun } from "../show-run.ts";
import { styleOf } from "../style.ts";
import { clip, wrap } from "../wrap.ts";

const SHOWN = 20;
const LOOK_EVERY_MS = 250;
/** Of what waits for you, in a list of runs. */
const SHOWN_ROWS = 7;

export const status: Command = {
  name: "status",
  takes: "[run]",
  summary: "Shows the runs on this machine, or one run with its todos, last decision and budgets.",
  examples: [
    ["tildone status", "what runs and what waits for you"],
    ["tildone status k3f9", "one run in detail"],
    ["tildone status --all", "old runs, too"],
  ],
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    watch: { type: "boolean", short: "w", says: "Stay and show every change; Ctrl-C ends it." },
    all: { type: "boolean", short: "a", says: `Every run, old ones too; without it the newest ${SHOWN}.` },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const show = () => (given.words[0] === undefined ? showAll(store, given, io) : showOne(store, given, io));
      if (!has(given, "watch")) {
        io.out(await show());
        return 0;
      }
      await watch(show, io);
      return 0;
    }),
};

type Given = Parameters<Command["run"]>[0];

/** On a terminal the picture is drawn anew in place; elsewhere each change is printed below the last. */
async function watch(show: () => Promise<string>, io: Io): Promise<void> {
  let last = "";
  while (!io.signal.aborted) {
    const text = await show();
    if (text !== last && io.isTerminal) io.out("\u001b[H\u001b[2J");
    if (text !== last) io.out(text);
    last = text;
    await io.pause(LOOK_EVERY_MS);
  }
}

async function showOne(store: HomeStore, given: Given, io: Io): Promise<string> {
  const card = await pickRun(store, given.words[0], io);
  const found = await readRun(store, card);
  const warnings = await configWarnings(store, card, io);
  if (has(given, "json")) return jsonText(runJson(found, warnings));
  return [showRun(found, io), ...warningLines(warnings, io)].join("\n");
}

const warningLines = (warnings: readonly string[], io: Io): readonly string[] =>
  warnings.map((text) => styleOf(io).role("warning", wrap(text, io.columns)));

async function showAll(store: HomeStore, given: Given, io: Io): Promise<string> {
  const cards = [...(await store.reader.cards())].sort(
    (a, b) => asks(b) - asks(a) || Number(b.live) - Number(a.live) || b.updated - a.updated,
  );
  const young = cards.filter((card) => !isAgedOut(card, store.drivers.of(card), io.now(), store.ageOutMs));
  const shown = has(given, "all") ? cards : young.slice(0, SHOWN);
  if (has(given, "json"))
    return jsonText(
      await Promise.all(
        shown.map(async (card) => runJson(await readRun(store, card), await configWarnings(store, card, io))),
      ),
    );
  if (cards.length === 0) return "There is no run on this machine yet. It begins when an agent writes its list.";
  const hidden = cards.length - shown.length;
  const warned = await Promise.all(shown.filter(({ live }) => live).map((card) => configWarnings(store, card, io)));
  const lines: string[] = [];
  for (const card of shown)
    lines.push(...(await readably(card, async () => cardLines(await readRun(store, card), io))));
  return [
    ...lines,
    ...warningLines([...new Set(warned.flat())], io),
    ...(hidden > 0 ? [`${hidden} more: tildone status --all`] : []),
  ].join("\n");
}

/** A run whose rows make no sense hides no other. An error of the store itself is thrown. */
async function readably(card: RunCard, lines: () => Promise<string[]>): Promise<string[]> {
  try {
    return await lines();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return [`${card.run}  cannot be shown: its log is damaged. See tildone log ${card.run}.`];
  }
}

/** Those that wait for you come first. */
const asks = (card: RunCard): number => (card.live && (summaryOf(card).asks ?? 0) > 0 ? 1 : 0);

/** Two lines a run: which it is and how far, then why it stands there. */
function cardLines({ card, run, view }: ReadRun, io: Io): string[] {
  const style = styleOf(io);
  const { word, tone, until } = view.state;
  const head = `${card.run}  ${card.host.padEnd(11)} ${view.count.text.padStart(19)}  `;
  // The day alone where it is another one: both would be cut off in a narrow window. The run's own page says it to the second.
  const [when] = until === undefined ? [] : clockTime(until, io.now()).split(" ");
  const state = word === "waiting" && when !== undefined ? `waiting until ${when}` : word;
  const right = `  ${span(io.now() - card.updated)} ago`;
  const [ask] = word === WAITING_FOR_YOU ? view.asks : [];
  const isUndecided = word === "cut off" || word === "left" || run.ledger.turn !== undefined; // what was decided before does not hold any more
  const detail = ask ? ask.says : isUndecided || !view.decision ? (view.goal ?? "") : view.decision.says;
  return [
    `${style.strong(head)}${style.role(ROLE[tone], clip(state, io.columns - head.length - right.length))}${style.role("dim", right)}`,
    style.role("dim", clip(`  ${card.cwd}${detail === "" ? "" : `  ${detail}`}`, io.columns)),
    ...(ask ? bodyLines(ask, io, io.now(), SHOWN_ROWS) : []),
    ...(ask ? ask.answers.map(({ word: answer, how }) => `  ${`${answer}:`.padEnd(8)}${how}`) : []),
  ];
}

const ROLE = { good: "success", attention: "warning", over: "dim" } as const;

/** The shape that `--json` promises; fields are added, never renamed. */
function runJson({ card, run, view }: ReadRun, warnings: readonly string[]) {
  const { decision, boundary, since, held, questions, approvals, words, spent, errors } = run.ledger;
  return {
    run: view.run,
    host: view.host,
    session: view.session,
    cwd: view.cwd,
    goal: view.goal,
    status: view.status,
    state: view.state.word,
    says: view.state.says,
    actsNext: view.state.actsNext,
    held,
    todos: view.todos,
    proven: view.count.proven,
    checks: view.checks,
    firstResults: Object.values(run.ledger.firsts ?? {}),
    decision,
    boundary,
    since,
    budgets: view.budgets,
    spent,
    questions,
    approvals,
    words,
    began: view.began,
    updated: card.updated,
    errors,
    warnings,
  };
}
