import { type Command, has } from "../command.ts";
import { runProposedChecks } from "../run-proposed-checks.ts";
import { tellOrder } from "../tell-run.ts";

export const accept: Command = {
  name: "accept",
  takes: "[run]",
  summary: "Signs off finished work that no check proves, or that is in doubt. Works after the run ended, too.",
  examples: [
    ["tildone accept", "sign off the finished work"],
    ["tildone accept --checks", "run the checks that the agent proposed instead"],
  ],
  completes: ["run"],
  options: {
    checks: { type: "boolean", says: "Run the checks that the agent proposed, now; what they pass is proven." },
  },
  words: 1,
  run: (given, io) =>
    has(given, "checks") ? runProposedChecks(given.words[0], io) : tellOrder(io, given.words[0], { type: "accept" }),
};
