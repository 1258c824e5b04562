import { countedTokens } from "../../../src/core/run/index.ts";
import type { Court, Known } from "./judge.ts";
import { foldOf, isHeld, look, type Seen, timesIn } from "./seen.ts";

/** Nothing moves any more, and nothing goes wrong any more. */
export async function judgeRest(court: Court): Promise<void> {
  const { fail, remote } = court;
  for (const [run, known] of court.runs) {
    const seen = await look(court.ledger, run);
    if (!seen) continue;
    const { state, resultCommit } = seen.run;
    const published = remote.published.get(run);
    if (state === "queued" || state === "running") fail("everything comes to rest", `${run} is ${state}`);
    if (published !== (state === "finished" ? resultCommit : undefined))
      fail("the recorded commit is published", `${run} is ${state}: ${published}, recorded ${resultCommit}`);
    if (state === "finished" || state === "parked") judgeWords(court, known, seen);
    if (state === "parked") judgeParked(court, seen);
    if (state === "finished" || state === "parked") judgeSpend(court, known, seen);
  }
}

/** Words stay open only where the run could not even start. */
function judgeWords({ fail }: Court, { script }: Known, { run: { run }, rows, words }: Seen): void {
  for (const { id, trigger, appliedSeq, refused } of words)
    if (appliedSeq === undefined) {
      if (rows.length > 0 && script.isReachable) fail("no word is left behind", `${run}: word ${id} is open`);
    } else if (refused === undefined && timesIn(rows, trigger) === 0)
      fail("each word once", `${run}: word ${id} is neither in the log nor refused`);
}

function judgeParked({ fail }: Court, { run: { run }, rows, words }: Seen): void {
  const decided = rows.findLastIndex(({ event }) => event.startsWith('{"type":"decision.made"'));
  if (decided >= 0 && rows.slice(decided).some(({ by }) => by === "human"))
    fail("what you say is looked at", `${run} waits, and you have spoken`);
  const { held } = foldOf(rows).ledger;
  if (words.every(({ appliedSeq }) => appliedSeq !== undefined) && held !== isHeld(words))
    fail("holds survive", `${run} is ${held ? "held" : "not held"}`);
}

function judgeSpend({ fail }: Court, { spent }: Known, { run: { run }, rows }: Seen): void {
  const used = [...spent.values()].reduce((sum, tokens) => sum + tokens, 0);
  const counted = countedTokens(foldOf(rows).ledger.spent);
  if (rows.length > 0 && counted !== used)
    fail("lost spend is counted", `${run}: ${used} tokens were used, its log has ${counted}`);
}
