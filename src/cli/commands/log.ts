import { eventText, evolve, type Run, UNBORN } from "../../core/run/index.ts";
import { clockTime } from "../../core/text/index.ts";
import { type Command, has, JSON_OPTION } from "../command.ts";
import { withStore } from "../home.ts";
import { jsonLine } from "../json.ts";
import { pickRun, readRun } from "../pick-run.ts";
import { clip, wrap } from "../wrap.ts";

const LOOK_EVERY_MS = 200;
const TAKEN_EVERY = 500;

export const log: Command = {
  name: "log",
  takes: "[run]",
  summary: "Prints what happened in a run, one line per event.",
  examples: [
    ["tildone log", "the run of this folder"],
    ["tildone log --follow", "and print new events as they come"],
  ],
  completes: ["run"],
  options: { ...JSON_OPTION, follow: { type: "boolean", short: "f", says: "Stay and print what comes." } },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = await pickRun(store, given.words[0], io);
      let run: Run = UNBORN;
      let seq = 0;
      const print = async () => {
        for await (const entry of store.reader.entries(card.run, seq)) {
          seq = entry.seq;
          if (seq % TAKEN_EVERY === 0) await io.taken?.();
          if ("problem" in entry) {
            io.err(`event ${seq} cannot be read and is left out: ${entry.problem}`);
            continue;
          }
          const { envelope } = entry;
          run = evolve(run, envelope);
          if (has(given, "json")) io.out(jsonLine(envelope));
          else {
            const head = `${String(seq).padStart(5)}  ${clockTime(envelope.at, io.now())}  ${envelope.by.padEnd(8)}  `;
            io.out(head + clip(eventText(envelope.event, run), io.isTerminal ? io.columns - head.length : 400));
          }
        }
      };
      let said = "";
      /** A run of the fleet that waits for a worker or for its repository has no log that could say so. */
      const sayWhyEmpty = async () => {
        if (seq > 0 || has(given, "json")) return;
        const { line } = (await readRun(store, card)).view.state;
        if (line !== said) io.out(wrap(`${card.run} has no events yet. It is ${line}`, io.columns));
        said = line;
      };
      await print();
      await sayWhyEmpty();
      while (has(given, "follow") && !io.signal.aborted) {
        await io.pause(LOOK_EVERY_MS);
        await print();
        await sayWhyEmpty();
      }
      return 0;
    }),
};
