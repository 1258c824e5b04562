import { stepsTold } from "./agent.ts";
import type { Court, Known, Writing } from "./judge.ts";
import { type Seen, upTo } from "./seen.ts";

/** Who is fenced changes nothing; who is not changes only what is new. */
export function judgeWrite(court: Court, known: Known, asked: Writing, before: Seen, after: Seen): void {
  const { fail } = court;
  const { run } = known.script;
  const { op, lease, status } = asked;
  const isOurs = lease.epoch === before.run.epoch && before.run.state === "running";
  if (lease.epoch !== before.run.epoch && status !== "fenced") fail("who is fenced is told", `${run}: ${op} ${status}`);
  if (!isOurs && JSON.stringify(before) !== JSON.stringify(after))
    fail("who is fenced writes nothing", `${run}: ${op} of claim ${lease.epoch} at ${before.run.epoch}`);
  if (!isOurs || status !== "written") return;
  if (JSON.stringify(after.rows.slice(0, before.rows.length)) !== JSON.stringify(before.rows))
    fail("what was written stays", `${run}: ${op} changed rows`);
  if (op === "barrier") judgeBarrier(court, known, lease.epoch, before, after);
  if (op === "handBack") known.claimants.pop();
  if (op !== "park" && op !== "finish") return;
  known.claimants = [];
  const mark = after.run.checkpoint?.seq ?? 0;
  if (after.rows.length !== mark) fail("nothing is let go of unsafe", `${run}: ${op} at ${after.rows.length}`);
  if (op === "finish") judgeFinish(court, known, after);
}

function judgeBarrier({ remote, fail }: Court, known: Known, epoch: number, before: Seen, after: Seen): void {
  const { run } = known.script;
  const { seq, commit } = after.run.checkpoint!;
  const isNew = seq > (before.run.checkpoint?.seq ?? 0);
  if (isNew && known.markedBy === epoch) known.claimants = [];
  known.markedBy = epoch;
  const [files, told] = [remote.filesAt(run, commit), stepsTold(after.rows.slice(0, seq))];
  if (!files) fail("a checkpoint can be restored", `${run}: ${commit} is not in the remote`);
  else if (String(files) !== String(told))
    fail("log, conversation and files agree", `${run}: files [${files}], log [${told}]`);
}

function judgeFinish({ remote, fail }: Court, known: Known, { run: { run, resultCommit }, rows, words }: Seen): void {
  const open = words.filter(({ appliedSeq }) => appliedSeq === undefined);
  if (open.length > 0) fail("no word is left behind", `${run} finished with ${open.length} open`);
  const all = String(upTo(known.script.steps));
  if (String(stepsTold(rows)) !== all) fail("every step once", `${run} finished with [${stepsTold(rows)}]`);
  const files = remote.filesAt(run, resultCommit);
  if (resultCommit === undefined || String(files) !== all)
    fail("the result is whole", `${run}: ${resultCommit} has [${files}]`);
}
