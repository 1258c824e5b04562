import { type Command, Failure, has } from "../command.ts";
import { needsPi } from "../needs-pi.ts";
import { clip } from "../wrap.ts";

const SLOW_MS = 700;

export const demo: Command = {
  name: "demo",
  takes: "",
  summary: "Shows tildone at work in a temporary folder: a real agent, a scripted model, no key, no network.",
  options: {
    slow: { type: "boolean", says: "With pauses, to watch it." },
    keep: { type: "boolean", says: "Keep the temporary folder, to look at what was done." },
  },
  words: 0,
  run: async (given, io) => {
    const { runDemo } = await needsPi(() => import("../../agent/index.ts"));
    const { outcome, folder } = await runDemo({
      env: io.env,
      out: (line) => io.out(clip(line, io.isTerminal ? io.columns : 200)),
      pause: () => (has(given, "slow") ? io.pause(SLOW_MS) : Promise.resolve()),
      keep: has(given, "keep"),
    });
    if (folder !== undefined) io.out(`Kept: ${folder}`);
    if (outcome.exit !== 0) throw new Failure(`the demo did not end as it should: ${outcome.says}`, outcome.exit);
    return 0;
  },
};
