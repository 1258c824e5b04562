import { countProof, countText, markedTodos } from "../../core/proof/index.ts";
import { budgetUse, decisionText, type Run } from "../../core/run/index.ts";
import { asksOf } from "../../core/words/index.ts";
import { isAgedOut, openRun, type RunCard, summaryOf } from "../../engine/index.ts";
import { type Command, has, JSON_OPTION } from "../command.ts";
import { configWarnings } from "../config-warnings.ts";
import { heardOf } from "../heard-of.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { pickRun } from "../pick-run.ts";
import { bodyLines, WAITING_FOR_YOU } from "../show-asks.ts";
import { CUT_OFF, type Silence, showRun, stateWord, waitEnd } from "../show-run.ts";
import { clockTime, span } from "../span.ts";
import { styleOf } from "../style.ts";
import { clip, wrap } from "../wrap.ts";

const SHOWN = 20;
const LOOK_EVERY_MS = 250;
/** Of what waits for you, in a list of runs. */
const SHOWN_ROWS = 7;

export const status: Command = {
  name: "status",
  takes: "[run]",
  summary: "Shows the runs on this machine, or one of them with its list, the last decision and its budgets.",
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
  const card = pickRun(store, given.words[0], io);
  const { run } = openRun(store.log, card.run);
  const warnings = await configWarnings(card, io);
  const heard = heardOf(store, card);
  if (has(given, "json")) return JSON.stringify(runJson(run, card, warnings, silenceSince(heard, io)), null, 2);
  return [showRun(run, io, io.now(), heard), ...warningLines(warnings, io)].join("\n");
}

const warningLines = (warnings: readonly string[], io: Io): readonly string[] =>
  warnings.map((text) => styleOf(io).role("warning", wrap(text, io.columns)));

async function showAll(store: HomeStore, given: Given, io: Io): Promise<string> {
  const cards = [...store.runs.list()].sort(
    (a, b) => asks(b) - asks(a) || Number(b.live) - Number(a.live) || b.updated - a.updated,
  );
  const young = cards.filter((card) => !isAgedOut(card, store.drivers.of(card), io.now(), store.ageOutMs));
  const shown = has(given, "all") ? cards : young.slice(0, SHOWN);
  if (has(given, "json"))
    return JSON.stringify(
      await Promise.all(
        shown.map(async (card) => {
          const { run } = openRun(store.log, card.run);
          return runJson(run, card, await configWarnings(card, io), silenceSince(heardOf(store, card), io));
        }),
      ),
      null,
      2,
    );
  if (cards.length === 0) return "There is no run on this machine yet. It begins when an agent writes its list.";
  const hidden = cards.length - shown.length;
  const warned = await Promise.all(shown.filter(({ live }) => live).map((card) => configWarnings(card, io)));
  return [
    ...shown.flatMap((card) => readably(card, () => cardLines(card, store, io))),
    ...warningLines([...new Set(warned.flat())], io),
    ...(hidden > 0 ? [`${hidden} more: tildone status --all`] : []),
  ].join("\n");
}

/** A run whose rows make no sense hides no other. An error of the store itself is thrown. */
function readably(card: RunCard, lines: () => string[]): string[] {
  try {
    return lines();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return [`${card.run}  cannot be shown: its log is damaged. See tildone log ${card.run}.`];
  }
}

/** Those that wait for you come first. */
const asks = (card: RunCard): number => (card.live && (summaryOf(card).asks ?? 0) > 0 ? 1 : 0);

/** Two lines a run: which it is and how far, then why it stands there. */
function cardLines(card: RunCard, store: HomeStore, io: Io): string[] {
  const style = styleOf(io);
  const { goal } = summaryOf(card);
  const { run } = openRun(store.log, card.run);
  const word = stateWord(run, silenceSince(heardOf(store, card), io));
  const role = card.live ? (word === "working" || word === "continuing" ? "success" : "warning") : "dim";
  const head = `${card.run}  ${card.host.padEnd(11)} ${countText(countProof(run)).padStart(19)}  `;
  const until = word === "waiting" ? waitEnd(run, io.now()) : undefined;
  const state = until === undefined ? word : `waiting until ${clockTime(until, io.now())}`;
  const right = `  ${span(io.now() - card.updated)} ago`;
  const decision = run.ledger.decision;
  const [ask] = word === WAITING_FOR_YOU ? asksOf(run) : [];
  const isOver = word === CUT_OFF || word === "left"; // what was decided before does not hold any more
  const detail = ask ? ask.says : isOver || run.ledger.turn || !decision ? (goal ?? "") : decisionText(decision);
  return [
    `${style.strong(head)}${style.role(role, clip(state, io.columns - head.length - right.length))}${style.role("dim", right)}`,
    style.role("dim", clip(`  ${card.cwd}${detail === "" ? "" : `  ${detail}`}`, io.columns)),
    ...(ask ? bodyLines(ask, io, io.now(), SHOWN_ROWS) : []),
    ...(ask ? ask.answers.map(({ word: answer, how }) => `  ${`${answer}:`.padEnd(8)}${how}`) : []),
  ];
}

const silenceSince = ({ heardAt, isGone }: ReturnType<typeof heardOf>, io: Io): Silence => ({
  ms: io.now() - heardAt,
  isGone,
});

/** The shape that `--json` promises; fields are added, never renamed. */
function runJson(run: Run, card: RunCard, warnings: readonly string[], silence: Silence) {
  return {
    run: run.id,
    host: run.origin.host,
    session: run.origin.session,
    cwd: run.origin.cwd,
    ...(run.goal !== undefined && { goal: run.goal }),
    status: run.status,
    state: stateWord(run, silence),
    held: run.ledger.held,
    todos: markedTodos(run).map((todo, index) => ({ index, ...todo })),
    proven: countProof(run).proven,
    decision: run.ledger.decision,
    boundary: run.ledger.boundary,
    since: run.ledger.since,
    budgets: budgetUse(run.ledger),
    spent: run.ledger.spent,
    questions: run.ledger.questions,
    approvals: run.ledger.approvals,
    words: run.ledger.words,
    began: run.ledger.began,
    updated: card.updated,
    errors: run.ledger.errors,
    warnings,
  };
}
