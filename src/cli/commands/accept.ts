import { type Command, has } from "../command.ts";
import { runProposedChecks } from "../run-proposed-checks.ts";
import { tellOrder } from "../tell-run.ts";

export const accept: Command = {
  name: "accept",
  takes: "[run]",
  summary: "Accepts what the agent did although no check proves it or part of it is in doubt; also after the end.",
  details: `  tildone accept              signs off the finished work, and judges the run again
  tildone accept --checks     runs the checks that the agent proposed instead`,
  options: {
    checks: { type: "boolean", says: "Run the checks that the agent proposed, now; what they pass is proven." },
  },
  words: 1,
  run: (given, io) =>
    has(given, "checks") ? runProposedChecks(given.words[0], io) : tellOrder(io, given.words[0], { type: "accept" }),
};
