import { type Envelope, evolve, problemOf, type Run, UNBORN } from "../../core/run/index.ts";
import { eventText } from "../../core/words/index.ts";
import { type Command, has, JSON_OPTION } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { clockTime } from "../span.ts";
import { clip } from "../wrap.ts";

const LOOK_EVERY_MS = 200;

export const log: Command = {
  name: "log",
  takes: "[run]",
  summary: "Prints what happened in the run, one line an event.",
  options: { ...JSON_OPTION, follow: { type: "boolean", short: "f", says: "Stay and print what comes." } },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = pickRun(store, given.words[0], io);
      let run: Run = UNBORN;
      let seq = 0;
      const print = () => {
        const tail = store.log.read(card.run, seq);
        for (const { seq: at, problem } of tail.damaged)
          io.err(`event ${at} cannot be read and is left out: ${problem}`);
        for (const envelope of tail.events as readonly Envelope[]) {
          const problem = problemOf(envelope.event);
          if (problem !== undefined) {
            io.err(`event ${envelope.seq} cannot be read and is left out: ${problem}`);
            continue;
          }
          run = evolve(run, envelope);
          if (has(given, "json")) io.out(JSON.stringify(envelope));
          else {
            const head = `${String(envelope.seq).padStart(5)}  ${clockTime(envelope.at, io.now())}  ${envelope.by.padEnd(8)}  `;
            io.out(head + clip(eventText(envelope.event, run), io.isTerminal ? io.columns - head.length : 400));
          }
        }
        seq = tail.last;
      };
      print();
      while (has(given, "follow") && !io.signal.aborted) {
        await io.pause(LOOK_EVERY_MS);
        print();
      }
      return 0;
    }),
};
