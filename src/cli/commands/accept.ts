import type { Command } from "../command.ts";
import { tellRun } from "../tell-run.ts";

export const accept: Command = {
  name: "accept",
  takes: "[run]",
  summary: "Accepts what the agent did although part of it is in doubt, and the checks it proposed.",
  options: {},
  words: 1,
  run: (given, io) => tellRun(io, given.words[0], { type: "human.accept" }, ({ id }) => `Accepted ${id}.`),
};
