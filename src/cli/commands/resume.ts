import { livingDriver } from "../../engine/index.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import { resumable } from "../resumed-run.ts";
import { refuseAgent } from "../speaker.ts";
import { unhold } from "./hold.ts";
import { run } from "./run.ts";
import { say } from "./say.ts";

const { resume: _, ...options } = run.options;

export const resume: Command = {
  name: "resume",
  takes: '[run] ["message"]',
  summary: "Continues a run: lifts its hold if the agent still runs, else starts it again.",
  examples: [
    ["tildone resume", "the run of this folder"],
    ['tildone resume r7k2 "use tabs"', "that run, with a message"],
    ["tildone resume --max-tokens 500000", "with a new limit"],
  ],
  details:
    "The same as tildone unhold while the agent's process lives, and as\ntildone run --resume when it has ended.",
  completes: ["run"],
  options,
  words: 2,
  run: async (given, io) => {
    const driven = await withStore(io, async (store) => {
      refuseAgent(store, io, "resume", given.words[0]);
      const { card, message } = await resumable(store, given.words, io);
      return livingDriver(card, store.drivers.of(card)) ? { run: card.run, message } : undefined;
    });
    if (driven === undefined) return run.run({ ...given, options: { ...given.options, resume: true } }, io);
    refuseOptions(given, driven.run);
    await unhold.run({ words: [driven.run], options: {} }, io);
    return driven.message === "" ? 0 : say.run({ words: [driven.message], options: { run: driven.run } }, io);
  },
};

/** They are for a process that starts; the one that lives has its own. */
function refuseOptions(given: Given, run: string): void {
  const [first] = Object.keys(given.options);
  if (first === undefined) return;
  throw new UsageError(
    `The agent of ${run} still runs, so --${first} would have no effect. Leave it out; tildone extend raises a budget.`,
  );
}
