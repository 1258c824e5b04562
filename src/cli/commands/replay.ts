import { isDeepStrictEqual } from "node:util";
import { logStateText } from "../../core/report/index.ts";
import { evolve, FOLD_VERSION, type Run, UNBORN, type Unread } from "../../core/run/index.ts";
import { counted } from "../../core/text/index.ts";
import { type Seen, viewOf } from "../../core/view/index.ts";
import { openRun, readLog, type Store } from "../../engine/index.ts";
import { type Command, Failure, has, JSON_OPTION, number } from "../command.ts";
import { withStore } from "../home.ts";
import { jsonText } from "../json.ts";
import { pickHere } from "../pick-run.ts";
import { showRun } from "../show-run.ts";

export const replay: Command = {
  name: "replay",
  takes: "[run]",
  summary: "Rebuilds a run from its log and compares it with the stored state.",
  examples: [
    ["tildone replay", "the run of this folder, as it is now"],
    ["tildone replay k3f9 --at 12", "as it was after event 12"],
  ],
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    at: { type: "string", value: "n", says: "Stop after event n and show the run as it was then." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = await pickHere(store, given.words[0], io);
      const at = number(given, "at");
      const { run, events, unread, damaged } = rebuild(store, card.run, at ?? Number.POSITIVE_INFINITY);
      const matches = at !== undefined || isDeepStrictEqual(plain(run), plain(openRun(store.log, card.run).run));
      const log = store.audit(card.run);
      if (has(given, "json"))
        io.out(jsonText({ run: card.run, folded: run, events, unread, damaged, fold: FOLD_VERSION, matches, log }));
      else {
        io.out(showRun(asItWas(run, { now: io.now() }), io));
        io.out("");
        io.out(`${counted(events, "event")} replayed, ${unread} unreadable.`);
        for (const { seq, problem } of damaged) io.out(`  event ${seq}: ${problem}`);
        if (at === undefined && matches) io.out("The stored run equals the rebuilt one.");
        io.out(logStateText(log));
      }
      if (!matches)
        throw new Failure("the stored run differs from the rebuilt one; please report this with tildone runs export.");
      return log.breaks.length > 0 ? 1 : 0;
    }),
};

function rebuild(store: Store, id: string, upTo: number) {
  const damaged: Unread[] = [];
  let run: Run = UNBORN;
  let [events, unread] = [0, 0];
  for (const entry of readLog(store.log, id)) {
    if (entry.seq > upTo) break;
    if ("envelope" in entry) {
      run = evolve(run, entry.envelope);
      events++;
    } else if (++unread <= MOST_DAMAGED) damaged.push(entry);
  }
  return { run, events, unread, damaged };
}

const MOST_DAMAGED = 100;

/** As JSON sees it: a kept fold went through JSON, a fresh one did not. */
const plain = (run: Run): unknown => JSON.parse(JSON.stringify(run));

const asItWas = (run: Run, seen: Seen) => ({ run, seen, view: viewOf(run, seen) });
