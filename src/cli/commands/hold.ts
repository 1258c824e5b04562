import { type Command, has } from "../command.ts";
import { tellRun } from "../tell-run.ts";

export const hold: Command = {
  name: "hold",
  takes: "[run]",
  summary: "Holds the run: no continuation until unhold, whatever anybody says.",
  options: { now: { type: "boolean", says: "Also end what the agent is doing, where the host can." } },
  words: 1,
  run: (given, io) =>
    tellRun(
      io,
      given.words[0],
      { type: "human.hold", now: has(given, "now") },
      ({ id }) => `On hold: ${id}. Continue with: tildone unhold ${id}`,
    ),
};

export const unhold: Command = {
  name: "unhold",
  takes: "[run]",
  summary: "Continues a run that is on hold or was interrupted.",
  options: {},
  words: 1,
  run: (given, io) => tellRun(io, given.words[0], { type: "human.unhold" }, ({ id }) => `No longer on hold: ${id}.`),
};
