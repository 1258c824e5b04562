import type { Claimed, WordState } from "../../../src/fleet/index.ts";
import { stepsIn, stepsTold } from "./agent.ts";
import { type Claiming, type Court, isNew, type Known } from "./judge.ts";
import { isHeld, type Seen, tokensIn } from "./seen.ts";

const MOST_DEATHS = 3;

/** A claim starts at the checkpoint, with everything that belongs to it and nothing that came after. */
export function judgeClaim(court: Court, known: Known, claiming: Claiming, before: Seen, after: Seen): void {
  const { answer, token } = claiming;
  const { fail, runs, limit } = court;
  const { run } = known.script;
  const deaths = known.claimants.length;
  if (before.run.state !== "poisoned" && answer.status === "poisoned" && deaths < MOST_DEATHS)
    fail("deaths are counted", `${run} was given up after ${deaths}`);
  if (answer.status === "overtaken" && known.driver === token && before.run.state === "running")
    fail("a claim said again gets what it got", `${run}: ${token} has it, and was refused`);
  if (answer.status !== "claimed") return;
  if (isNew(claiming, before) && claiming.after !== undefined && claiming.after !== before.run.epoch)
    fail(
      "who claimed last keeps it",
      `${run}: ${token} began at claim ${claiming.after}, took it at ${before.run.epoch}`,
    );
  if (isNew(claiming, before) && before.run.state === "running" && court.keeps(known.driver, run))
    fail("who drives it and has its place keeps it", `${run}: ${token} took it from ${known.driver}`);
  if (!isNew(claiming, before) && known.driver !== token)
    fail("who claimed last keeps it", `${run}: ${token} got the claim of ${known.driver}`);
  const isRepeated = known.driver === token;
  if (isRepeated && isNew(claiming, before)) fail("a claim said again gets what it got", `${run}: ${token}`);
  if (deaths >= MOST_DEATHS && !isRepeated) fail("deaths are counted", `${run} is driven after ${deaths}`);
  if (!isRepeated) known.claimants.push(token);
  const { claimed } = answer;
  const mark = before.run.checkpoint?.seq ?? 0;
  if (JSON.stringify(claimed.rows) !== JSON.stringify(before.rows.slice(0, mark)) || after.rows.length !== mark)
    fail("a claim starts at the checkpoint", `${run}: ${claimed.rows.length} rows, and the checkpoint is at ${mark}`);
  if (after.lost.length !== before.lost.length + before.rows.length - mark)
    fail("what is lost is kept", `${run}: ${before.rows.length - mark} rows more were lost`);
  const isOpen = ({ appliedSeq }: WordState): boolean => appliedSeq === undefined || appliedSeq > mark;
  const [due, given] = [before.words.filter(isOpen), claimed.words].map((all) => String(all.map(({ id }) => id)));
  if (due !== given) fail("lost words are open again", `${run}: ${due} are due, ${given} were given`);
  const tokens = after.lost.reduce((sum, { event }) => sum + tokensIn(event), 0);
  if (claimed.lostSpend.tokens !== tokens)
    fail("lost spend is counted", `${run}: ${claimed.lostSpend.tokens} of ${tokens} tokens`);
  judgeMark(court, run, claimed);
  known.heldSince = isHeld(after.words) ? after.words.at(-1)?.id : undefined;
  known.driver = token;
  const running = [...runs.values()].filter(({ seen }) => seen?.run.state === "running").length;
  if (limit !== undefined && running > limit) fail("limits are kept", `${running} runs at the same time`);
}

function judgeMark({ remote, fail }: Court, run: string, { rows, conversation, run: { checkpoint } }: Claimed): void {
  const files = remote.filesAt(run, checkpoint?.commit);
  if (!files) fail("a checkpoint can be restored", `${run}: ${checkpoint?.commit} is not in the remote`);
  const all = [stepsTold(rows), stepsIn(Buffer.from(conversation).toString()), files ?? []].map(String);
  if (new Set(all).size > 1)
    fail("log, conversation and files agree", `${run}: ${all.map((each) => `[${each}]`).join(" ")}`);
}
