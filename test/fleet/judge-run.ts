import type { Ledger, Row } from "../../src/fleet/index.ts";
import { MOST_DEATHS } from "../../src/fleet/ledger/rules.ts";
import type { Witness } from "./witness.ts";

export interface JudgedWorld {
  readonly ledger: Ledger;
  readonly witness: Witness | undefined;
  readonly remote: string;
  readonly git: (cwd: string, ...args: readonly string[]) => string;
}

/** What must hold of a run that is over, whatever happened to its workers: problems as sentences. */
export function createRunJudge({ ledger, witness, remote, git }: JudgedWorld) {
  return { judge, judgeGivenUp };

  async function judge(run: string, items = 3): Promise<readonly string[]> {
    const found = await ledger.get(run);
    if (found?.state !== "finished") return [`${run} is ${found?.state}: ${found?.outcome ?? ""}`];
    const rows = await ledger.rows(run, 0, 100_000);
    const problems = [...(await judgeRecord(run, rows))];
    const done = completedIn(rows);
    if (done.length !== items || new Set(done).size !== items)
      problems.push(`${run}: completed steps ${JSON.stringify(done)}`);
    const branch = git(remote, "rev-parse", `refs/heads/tildone/${run}`).trim();
    if (branch !== found.resultCommit)
      problems.push(`${run}: the branch is at ${branch}, the record names ${found.resultCommit}`);
    const files = filesAt(branch);
    if (files.join() !== ["README", ...namesOf(items)].join())
      problems.push(`${run}: the branch has ${files.join(", ")}`);
    const open = (await ledger.words(run)).filter(
      ({ appliedSeq, refused }) => appliedSeq === undefined && refused === undefined,
    );
    if (open.length > 0) problems.push(`${run}: ${open.length} messages were never applied`);
    return problems;
  }

  /** One that was given up lost what came after its checkpoint, and nothing else: from there it could be continued. */
  async function judgeGivenUp(run: string): Promise<readonly string[]> {
    const { checkpoint } = (await ledger.get(run))!;
    const { seq = 0, commit } = checkpoint ?? {};
    const rows = await ledger.rows(run, 0, 100_000);
    const problems = [...(await judgeRecord(run, rows))];
    const claims = (await witness?.claimsWithoutProgress(run)) ?? MOST_DEATHS;
    if (claims < MOST_DEATHS) problems.push(`${run} was given up after ${claims} claims`);
    if (has(`refs/heads/tildone/${run}`)) problems.push(`${run} was given up, and its branch was published`);
    const kept = rows.filter((row) => row.seq <= seq);
    if (kept.length !== seq) problems.push(`${run}: its checkpoint is at ${seq}, and ${kept.length} events are there`);
    const done = completedIn(kept);
    if (new Set(done).size !== done.length) problems.push(`${run}: completed steps ${JSON.stringify(done)}`);
    if (commit === undefined) {
      if (done.length > 0) problems.push(`${run}: ${done.length} steps are done, and no files were kept`);
      return problems;
    }
    if (!git(remote, "rev-list", refOf(run)).includes(commit))
      return [...problems, `${run}: its checkpoint ${commit} is not in ${refOf(run)}`];
    const files = filesAt(commit).filter((name) => name.startsWith("file-"));
    if (files.join() !== namesOf(done.length).join())
      problems.push(`${run}: ${done.length} steps are done, and its checkpoint has ${files.join(", ") || "no files"}`);
    return problems;
  }

  async function judgeRecord(run: string, rows: readonly Row[]): Promise<readonly string[]> {
    const problems = [...((await witness?.violations(run)) ?? [])];
    rows.forEach(({ seq }, index) => {
      if (seq !== index + 1) problems.push(`${run}: row ${index + 1} is called ${seq}`);
    });
    const claims = pushesOf(run);
    claims.forEach((claim, index) => {
      if (index > 0 && claim > claims[index - 1]!)
        problems.push(`${run}: a push of claim ${claims[index - 1]} follows one of ${claim}`);
    });
    return problems;
  }

  /** Claims that pushed, the newest push first. None: it was given up before the first one. */
  function pushesOf(run: string): readonly number[] {
    if (!has(refOf(run))) return [];
    const format = "--format=%(trailers:key=Claim,valueonly)";
    return git(remote, "log", "--first-parent", format, refOf(run)).split("\n").filter(Boolean).map(Number);
  }

  function filesAt(commit: string): readonly string[] {
    return git(remote, "ls-tree", "-r", "--name-only", commit).split("\n").filter(Boolean);
  }

  function has(ref: string): boolean {
    return git(remote, "for-each-ref", ref) !== "";
  }
}

const refOf = (run: string): string => `refs/tildone/fleet/${run}`;
const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `file-${index}.txt`);

const completedIn = (rows: readonly Row[]): readonly string[] =>
  rows
    .map(({ event }) => JSON.parse(event) as { type: string; ids?: readonly string[]; id?: string })
    .flatMap((event) => (event.type === "todo.completed" ? (event.ids ?? [event.id ?? ""]) : []));
