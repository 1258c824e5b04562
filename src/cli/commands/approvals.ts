import { type Approval, MOST_APPROVED, OUTCOMES, SHORT } from "../../core/call/index.ts";
import type { HumanAnswer, Reply, Trigger } from "../../core/react/index.ts";
import { followApprovals, type ReportedApproval } from "../../core/report/index.ts";
import { exactRows, fold } from "../../core/text/index.ts";
import { asksOf } from "../../core/view/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, RUN_OPTION, text, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { pickRun, readRun } from "../pick-run.ts";
import { askLines } from "../show-asks.ts";
import { tellRun } from "../tell-run.ts";

export const approvals: Command = {
  name: "approvals",
  takes: "[run]",
  summary: "Shows the calls that wait for your approval, and how to answer them.",
  examples: [
    ["tildone approvals", "what waits for you"],
    ["tildone approvals --show <id>", "the whole command or diff of one call"],
  ],
  details: `A long command or diff is folded in the middle. --show prints all of it, also after
it was answered. A call longer than ${MOST_APPROVED / 1024} KiB is refused.`,
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    show: { type: "string", value: "id", says: "All of one call, by its id or the name that approve takes." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      const card = await pickRun(store, given.words[0], io);
      const shown = text(given, "show");
      if (shown !== undefined) return showOne(store, card.run, shown, given, io);
      const { run } = await readRun(store, card);
      if (has(given, "json")) io.out(jsonText(run.ledger.approvals));
      else if (asksOf(run).length === 0) io.out(`Nothing waits for your approval in ${card.run}.`);
      else for (const line of askLines(asksOf(run), io, io.now())) io.out(line);
      return 0;
    }),
};

/** Every character of what was asked, and how it was answered. */
async function showOne(store: HomeStore, run: string, name: string, given: Given, io: Io): Promise<number> {
  const found = await lastAsked(store, run, ({ approval, runs }) =>
    [approval.call, approval.digest, runs?.digest].some(
      (id) => id === name || (name.length >= SHORT && id?.startsWith(name)),
    ),
  );
  if (!found) throw new Failure(`No call in ${run} was asked about as "${name}". What waits: tildone approvals ${run}`);
  if (has(given, "json")) {
    io.out(jsonText(found));
    return 0;
  }
  const { approval, answer, runs } = found;
  io.out(`${approval.tool}${approval.digest === undefined ? "" : `, SHA-256 ${approval.digest}`}`);
  for (const row of exactRows(approval.what, io.columns - 4)) io.out(`    ${row}`);
  if (runs) {
    io.out(`You changed it before it ran, SHA-256 ${runs.digest ?? "not recorded"}:`);
    for (const row of exactRows(runs.what, io.columns - 4)) io.out(`    ${row}`);
  }
  io.out(answer === undefined ? "Waits for your answer." : `Answer: ${OUTCOMES[answer]}.`);
  return 0;
}

async function lastAsked({ reader }: HomeStore, run: string, isMeant: (asked: ReportedApproval) => boolean) {
  const follow = followApprovals();
  let found: { readonly number: number; readonly asked: ReportedApproval } | undefined;
  for await (const entry of reader.entries(run)) {
    const next = "envelope" in entry ? follow(entry.envelope) : undefined;
    if (next && next.number >= (found?.number ?? 0) && isMeant(next.asked)) found = next;
  }
  return found?.asked;
}

export const approve: Command = {
  name: "approve",
  takes: "[call]",
  summary: "Approves a waiting call; without a name, the only one that waits.",
  examples: [
    ["tildone approve", "the only call that waits"],
    ["tildone approve --always", "and exactly this call for the rest of the run"],
    ['tildone approve --edit "rm -r build"', "run this command instead"],
  ],
  options: {
    ...RUN_OPTION,
    always: { type: "boolean", says: "Always allow exactly this in this run." },
    "always-tool": { type: "boolean", says: "Always allow this tool in this run." },
    edit: { type: "string", value: "command", says: "Run this command instead of the one that waits." },
  },
  words: 1,
  run: async (given, io) => {
    const command = text(given, "edit");
    if ([has(given, "always"), has(given, "always-tool"), command !== undefined].filter(Boolean).length > 1)
      throw new UsageError("Use one of --always, --always-tool and --edit.");
    const outcome = has(given, "always-tool") ? "always_tool" : has(given, "always") ? "always_rule" : "once";
    const said: HumanAnswer = command === undefined ? { outcome, words: "" } : { outcome: "edited", command };
    return tellRun(io, text(given, "run"), answer(given.words[0], said), ({ id }, reply) =>
      approvedLines(id, reply, io, command),
    );
  },
};

/** Says what was approved: without a name it was whatever waited at that moment. */
function approvedLines(run: string, reply: Reply, io: Io, edited?: string): string {
  const approval = reply.type === "done" ? (reply.details?.approval as Approval | undefined) : undefined;
  if (approval === undefined) return `Approved in ${run}.`;
  const what = edited ?? approval.what;
  const rows = fold(exactRows(what, io.columns - 4), 7, (hidden) => `… ${hidden} lines are not shown`);
  return [
    `Approved in ${run}, ${approval.tool}${edited === undefined ? "" : " with your command"}:`,
    ...rows.map((row) => `    ${row}`),
  ].join("\n");
}

export const deny: Command = {
  name: "deny",
  takes: "[call]",
  summary: "Denies a waiting call. With --words the agent continues; without, the run stops.",
  examples: [
    ['tildone deny --words "do not push; open a pull request"', "deny, and say what to do instead"],
    ["tildone deny", "deny and stop the run"],
  ],
  options: {
    ...RUN_OPTION,
    words: { type: "string", value: "text", says: "Why, and what to do instead; the agent reads it." },
    stop: { type: "boolean", says: "Also stop everything else." },
  },
  words: 1,
  run: async (given, io) => {
    const words = text(given, "words") ?? "";
    const outcome = has(given, "stop") ? "stopped" : "denied";
    return tellRun(io, text(given, "run"), answer(given.words[0], { outcome, words }), ({ id }) => `Denied in ${id}.`);
  },
};

function answer(call: string | undefined, said: HumanAnswer): Trigger {
  return { type: "human.answer", ...said, call };
}
