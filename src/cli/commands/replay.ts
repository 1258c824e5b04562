import { isDeepStrictEqual } from "node:util";
import { logStateText } from "../../core/report/index.ts";
import { type Envelope, evolve, FOLD_VERSION, problemOf, type Run, UNBORN } from "../../core/run/index.ts";
import { openRun, type Store } from "../../engine/index.ts";
import { type Command, Failure, has, JSON_OPTION, number } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { showRun } from "../show-run.ts";

export const replay: Command = {
  name: "replay",
  takes: "[run]",
  summary: "Builds the run anew from its log, shows it as it was, and says whether that is what is kept.",
  options: {
    ...JSON_OPTION,
    at: { type: "string", value: "n", says: "Stop after event n and show the run as it was then." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, (store) => {
      const card = pickRun(store, given.words[0], io);
      const at = number(given, "at");
      const { run, events, damaged } = rebuild(store, card.run, at ?? Number.POSITIVE_INFINITY);
      const matches = at !== undefined || isDeepStrictEqual(plain(run), plain(openRun(store.log, card.run).run));
      const log = store.audit(card.run);
      if (has(given, "json"))
        io.out(JSON.stringify({ run, events, damaged, fold: FOLD_VERSION, matches, log }, null, 2));
      else {
        io.out(showRun(run, io, io.now()));
        io.out("");
        io.out(`${events} event(s) replayed, ${damaged.length} unreadable.`);
        for (const { seq, problem } of damaged) io.out(`  event ${seq}: ${problem}`);
        if (at === undefined && matches) io.out("The run that is kept equals its replay.");
        io.out(logStateText(log));
      }
      if (!matches)
        throw new Failure("the run that is kept differs from its replay; please report this with tildone runs export.");
      return log.breaks.length > 0 ? 1 : 0;
    }),
};

function rebuild(store: Store, id: string, upTo: number) {
  const tail = store.log.read(id, 0);
  const events = (tail.events as readonly Envelope[]).filter(({ seq }) => seq <= upTo);
  const run: Run = events.reduce(evolve, UNBORN);
  const unread = events.flatMap(({ seq, event }) => {
    const problem = problemOf(event);
    return problem === undefined ? [] : [{ seq, problem }];
  });
  const damaged = [...tail.damaged.filter(({ seq }) => seq <= upTo), ...unread].sort((a, b) => a.seq - b.seq);
  return { run, events: events.length, damaged };
}

/** As JSON sees it: a kept fold went through JSON, a fresh one did not. */
const plain = (run: Run): unknown => JSON.parse(JSON.stringify(run));
