import { stopRow } from "../../core/reason/index.ts";
import { type RefusedAttempt, type ReportedWord, refusedAttempt, wordNotAtTerminal } from "../../core/report/index.ts";
import { decisionText, type Envelope, eventText, nextStepText, type StoredDecision } from "../../core/run/index.ts";
import { clockTime } from "../../core/text/index.ts";
import { conversationLine } from "../../core/view/index.ts";
import { checkRemarks } from "../../core/words/index.ts";
import type { Reader } from "../../engine/index.ts";
import { type Command, JSON_OPTION, number } from "../command.ts";
import { configWarnings } from "../config-warnings.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { pickRun, readRun } from "../pick-run.ts";
import { askLines } from "../show-asks.ts";
import { styleOf } from "../style.ts";
import { wrap } from "../wrap.ts";

export const why: Command = {
  name: "why",
  takes: "[run]",
  summary: "Explains why a run continues, waits or stopped, and what you can do.",
  examples: [["tildone why", "the run of this folder"]],
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    last: { type: "string", value: "n", says: "How many decisions (default 5)." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const last = number(given, "last") ?? 5;
      const card = await pickRun(store, given.words[0], io);
      const { run, seen, view } = await readRun(store, card);
      const { decisions, withdrawn, unclear, refused } = await newest(
        store.reader,
        card.run,
        (event) => eventText(event, run),
        last,
      );
      const warnings = await configWarnings(store, card, io);
      if (given.options.json === true) {
        for (const text of warnings) io.err(text);
        io.out(jsonText(decisions.map(({ type: _, ...decision }) => decision)));
        return 0;
      }
      const asks = askLines(view.asks, io, io.now());
      for (const line of asks) io.out(line);
      io.out(wrap(`${card.run} is ${asks.length > 0 ? "waiting for you." : view.state.line}`, io.columns));
      for (const text of warnings) io.out(styleOf(io).role("warning", wrap(text, io.columns)));
      if (decisions.length === 0 && run.status === "live" && !seen.isGone && !run.ledger.left)
        io.out(`Nothing has been decided in ${card.run} yet: the agent is still in its first turn.`);
      for (const made of [...decisions, ...withdrawn].toSorted((a, b) => a.seq - b.seq))
        for (const line of "why" in made ? explainWithdrawn(made, io) : explain(made.decision, made.at, io))
          io.out(line);
      const conversation = conversationLine(run);
      if (conversation !== "") io.out(wrap(conversation, io.columns));
      for (const remark of checkRemarks(run)) io.out(wrap(remark, io.columns));
      for (const { at, says, where } of unclear)
        io.out(wrap(`${clockTime(at, io.now())}  ${says}: ${where}`, io.columns));
      for (const { at, says } of refused) io.out(wrap(`${clockTime(at, io.now())}  ${says}`, io.columns));
      return 0;
    }),
};

const SHOWN = 5;

/** The last decisions and the nudges that did not leave between them, the last words in your name that may have come from the agent, and what it was refused. */
async function newest(reader: Reader, run: string, says: (event: Envelope["event"]) => string, most: number) {
  const decisions: (Pick<Envelope, "seq" | "at"> & Made)[] = [];
  const withdrawn: Withdrawn[] = [];
  const unclear: ReportedWord[] = [];
  const refused: RefusedAttempt[] = [];
  for await (const entry of reader.entries(run)) {
    if (!("envelope" in entry)) continue;
    const { envelope } = entry;
    const { seq, at, by, event } = envelope;
    if (event.type === "decision.made") keep(decisions, { seq, at, ...event }, most);
    if (event.type === "nudge.withdrawn") keep(withdrawn, { seq, at, why: event.why }, most);
    for (const word of by === "human" ? wordNotAtTerminal(envelope, says(event)) : [])
      if (word.from.unclear !== undefined) keep(unclear, word, SHOWN);
    for (const attempt of refusedAttempt(envelope)) keep(refused, attempt, SHOWN);
  }
  const first = decisions[0]?.seq ?? 0;
  return { decisions, withdrawn: withdrawn.filter(({ seq }) => seq > first), unclear, refused };
}
type Withdrawn = Pick<Envelope, "seq" | "at"> & { readonly why: string };
type Made = Envelope["event"] & { type: "decision.made" };

function keep<T>(kept: T[], item: T, most: number): void {
  kept.push(item);
  if (kept.length > most) kept.shift();
}

function explainWithdrawn({ at, why }: Withdrawn, io: Io): readonly string[] {
  const says = /^[a-z]/.test(why) ? `The nudge was withdrawn because ${why}.` : `The nudge was withdrawn. ${why}`;
  return [
    `${clockTime(at, io.now())}  ${styleOf(io).strong("withdrawn")}`,
    wrap(says, io.columns - 4).replace(/^/gm, "    "),
  ];
}

/** What was decided, why and what you can do; the rule and the code a script would see stand in the last line. */
function explain(decision: StoredDecision, at: number, io: Io): readonly string[] {
  const style = styleOf(io);
  const head = decision.type === "continue" ? "continue" : `${decision.type} ${decision.reason}`;
  const exit = decision.type === "stop" ? `; exit code ${stopRow(decision.reason).exit}` : "";
  const sentence = [decisionText(decision), nextStepText(decision)].filter(Boolean).join(" ");
  const indented = (text: string) => wrap(text, io.columns - 4).replace(/^/gm, "    ");
  return [
    `${clockTime(at, io.now())}  ${style.strong(head)}`,
    indented(sentence),
    style.role("dim", indented(`rule: ${decision.rule}${exit}`)),
  ];
}
