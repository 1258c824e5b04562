import type { Outcome } from "../../core/call/index.ts";
import type { Trigger } from "../../core/run/index.ts";
import { asksOf } from "../../core/words/index.ts";
import { openRun } from "../../engine/index.ts";
import { type Command, has, JSON_OPTION, RUN_OPTION, text, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import { pickRun } from "../pick-run.ts";
import { askLines } from "../show-asks.ts";
import { tellRun } from "../tell-run.ts";

export const approvals: Command = {
  name: "approvals",
  takes: "[run]",
  summary: "Shows the calls that wait for your approval, and how to answer them.",
  options: { ...JSON_OPTION },
  words: 1,
  run: (given, io) =>
    withStore(io, (store) => {
      const card = pickRun(store, given.words[0], io);
      const { run } = openRun(store.log, card.run);
      if (has(given, "json")) io.out(JSON.stringify(run.ledger.approvals, null, 2));
      else if (asksOf(run).length === 0) io.out(`Nothing waits for your approval in ${card.run}.`);
      else for (const line of askLines(run, io, io.now())) io.out(line);
      return 0;
    }),
};

export const approve: Command = {
  name: "approve",
  takes: "[call]",
  summary: "Lets a waiting call run; without a name, the only one that waits.",
  options: {
    ...RUN_OPTION,
    always: { type: "boolean", says: "From now on exactly this runs without asking, in this run." },
    "always-tool": { type: "boolean", says: "From now on whatever this tool does, in this run." },
  },
  words: 1,
  run: async (given, io) => {
    if (has(given, "always") && has(given, "always-tool"))
      throw new UsageError("Say --always or --always-tool, not both.");
    const outcome = has(given, "always-tool") ? "always_tool" : has(given, "always") ? "always_rule" : "once";
    return tellRun(io, text(given, "run"), answer(given.words[0], outcome, ""), ({ id }) => `Approved in ${id}.`);
  },
};

export const deny: Command = {
  name: "deny",
  takes: "[call]",
  summary: "Refuses a waiting call; with words the agent goes on, without them the run stops.",
  details: 'Example: tildone deny --words "do not push; open a pull request"',
  options: {
    ...RUN_OPTION,
    words: { type: "string", value: "text", says: "Why, and what to do instead; the agent reads it." },
    stop: { type: "boolean", says: "Also stop everything else." },
  },
  words: 1,
  run: async (given, io) => {
    const words = text(given, "words") ?? "";
    const outcome = has(given, "stop") ? "stopped" : "denied";
    return tellRun(io, text(given, "run"), answer(given.words[0], outcome, words), ({ id }) => `Denied in ${id}.`);
  },
};

function answer(
  call: string | undefined,
  outcome: Exclude<Outcome, "edited" | "timed_out" | "withdrawn">,
  words: string,
): Trigger {
  return { type: "human.answer", outcome, words, ...(call !== undefined && { call }) };
}
