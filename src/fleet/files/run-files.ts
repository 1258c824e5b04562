import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../../core/report/index.ts";
import { withBare } from "./bare.ts";
import { claimIn, claimText, type Facts, factsIn, factsText } from "./checkpoint-facts.ts";
import { createClaimedRef } from "./claimed-ref.ts";
import { FilesError } from "./files-error.ts";
import { createFolders } from "./run-folders.ts";
import { createRunGit, type RunFilesOptions } from "./run-git.ts";
import { createTaker, isSameFiles, type Taken } from "./take-files.ts";

/** The files of a run at a checkpoint, as they stand in the remote. */
export interface FilesMark {
  readonly commit: string;
  /** New files that were kept back: they look like secrets. */
  readonly withheld: readonly string[];
}

/** The files of one run on one machine. */
export function openRunFiles(options: RunFilesOptions) {
  const { place, run, repo } = options;
  const runGit = createRunGit(options);
  const { shared, work, exact, ref, asked, into, inWork, commitOf, fetchInto, alternates } = runGit;
  const folders = createFolders(runGit, options);
  const { take, whereabouts } = createTaker(runGit, place);
  const claimed = createClaimedRef({ tip: runGit.remoteTip, epochOf, move: runGit.move });
  let last: (Taken & { readonly commit: string }) | undefined;
  /** What the run started from. */
  let base: string | undefined;

  return {
    ...{ work, takeOver, begin, beginAgain, restore, checkpoint, result, changes },
    ...{ discard: folders.discard, stop: claimed.stop },
  };

  /**
   * Makes the remote refuse the worker that had the run before. Gives false where a newer claim was there first.
   */
  async function takeOver(epoch: number, mark?: string): Promise<boolean> {
    await folders.open();
    return claimed.takeOver(epoch, async (tip) => {
      const parents = [...new Set([tip, mark].filter((each) => each !== undefined))];
      const tree = await (mark === undefined ? into(["mktree"], { input: "" }) : into(["rev-parse", `${mark}^{tree}`]));
      return commitOf(tree, parents, `Run ${run} is taken over\n\n${claimText(epoch)}`);
    });
  }

  /** A new workspace at the state the run starts from. `from`: a branch, tag or commit; absent: the default branch. */
  async function begin(from: string | undefined): Promise<string> {
    await folders.open();
    base = await fetchBase(from);
    await newWork(base, `tildone/${run}`);
    await inWork(["reset", "-q", "--hard"]); // by the project's own rules: its line ends, its filters
    return base;
  }

  /** The workspace as it was before the work, also where its branch moved on meanwhile. Undefined: nothing tells what that was. */
  async function beginAgain(mark: string): Promise<string | undefined> {
    base = (await factsOf(mark)).base;
    if (base === undefined) return undefined;
    await newWork(mark, `tildone/${run}`, base);
    await inWork(["reset", "-q", "--hard"]);
    return base;
  }

  /** The workspace as it was at a checkpoint: branch, commit, what was staged, and every file that is not ignored. */
  async function restore(mark: string): Promise<void> {
    const facts = await factsOf(mark);
    base = facts.base;
    await newWork(mark, facts.branch ?? `tildone/${run}`, facts.head);
    if (facts.branch === undefined) await inWork(["update-ref", "--no-deref", "HEAD", facts.head]);
    await into(["read-tree", "-u", "--reset", mark], { variables: runGit.laidOut() });
    await inWork(["read-tree", facts.staged]);
    await inWork(["update-index", "-q", "--refresh"], "may fail");
  }

  /** Takes the files and pushes them. Where nothing changed since the last one, that one is still right. */
  async function checkpoint(epoch: number): Promise<FilesMark> {
    const taken = await take();
    if (last && isSameFiles(last, taken)) return { commit: last.commit, withheld: taken.withheld };
    const staged = await commitOf(taken.staged, [taken.head], "What is staged");
    const parents = [...tips(), taken.head, staged, ...(base === undefined ? [] : [base])];
    const message = `Checkpoint of run ${run}\n\n${factsText(taken, base, epoch)}`;
    const commit = await commitOf(taken.tree, [...new Set(parents)], message);
    await push(commit);
    last = { ...taken, commit };
    return { commit, withheld: taken.withheld };
  }

  /** What the run made, as one commit on top of the agent's own: pushed where every worker finds it, so that any may publish it. */
  async function result(epoch: number, message: string): Promise<string> {
    const { withheld } = await checkpoint(epoch);
    const { head } = await whereabouts();
    const draft = join(place, "result.index");
    const there = { variables: { ...alternates(), GIT_DIR: shared, GIT_WORK_TREE: work, GIT_INDEX_FILE: draft } };
    rmSync(draft, { force: true });
    await asked(["read-tree", head], there);
    await asked(["-c", `core.excludesFile=${join(exact, "info/exclude")}`, "add", "-A", "--ignore-errors"], there);
    if (withheld.length > 0)
      await asked(["rm", "-q", "--cached", "--ignore-unmatch", "--pathspec-from-file=-", "--pathspec-file-nul"], {
        ...there,
        input: withheld.map((path) => `:(literal)${path}\0`).join(""),
      });
    const tree = await asked(["write-tree"], there);
    const isCommitted = tree === (await asked(["rev-parse", `${head}^{tree}`], there));
    const commit = isCommitted ? head : await commitOf(tree, [head], message, there);
    // A branch may not carry our notes: the ref points at the notes, the notes at the commit.
    const marked = await commitOf(tree, [...tips(), commit], `Result of run ${run}\n\n${claimText(epoch)}`, there);
    await push(marked, shared);
    return commit;
  }

  /** Lines that the result added and removed, by file. */
  async function changes(commit: string): Promise<readonly ChangedFile[]> {
    if (base === undefined) return [];
    // Not of `exact`: to that one every file is only bytes.
    const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", base, commit];
    const listed = await asked(["--git-dir", shared, ...args], { variables: alternates() });
    return [...listed.matchAll(/(\d+|-)\t(\d+|-)\t([^\0]*)\0/g)].map(([, added, removed, path]) => ({
      path: Buffer.from(path!, "latin1").toString(),
      added: added === "-" ? null : Number(added),
      removed: removed === "-" ? null : Number(removed),
    }));
  }

  async function newWork(known: string, branch: string, head = known): Promise<void> {
    last = undefined;
    await folders.newWork(known, branch, head);
  }

  async function fetchBase(from: string | undefined): Promise<string> {
    const name = from ?? "HEAD";
    if (name.startsWith("-")) throw new FilesError("no_ref", `"${name}" is no branch, tag or commit.`);
    await fetchInto(shared, `+${name}:refs/runs/${run}/base`);
    const found = await asked(["--git-dir", shared, "rev-parse", `refs/runs/${run}/base^{commit}`]);
    await into(["update-ref", "refs/base", found]);
    return found;
  }

  async function push(commit: string, directory?: string): Promise<void> {
    if ((await claimed.push(commit, directory)) === "fenced")
      throw new FilesError("fenced", "Another worker has this run by now.");
  }

  function tips(): readonly string[] {
    const tip = claimed.tip();
    return tip === undefined ? [] : [tip];
  }

  async function factsOf(mark: string): Promise<Facts> {
    const facts = factsIn(await runGit.messageOf(mark));
    if (!facts) throw new FilesError("no_checkpoint", `The last checkpoint of run ${run} is no longer in ${repo}.`);
    return facts;
  }

  async function epochOf(commit: string): Promise<number> {
    await fetchInto(exact, `+${ref}:refs/seen`);
    return claimIn(await runGit.messageOf(commit));
  }
}

export type RunFiles = ReturnType<typeof openRunFiles>;

/** Makes the result a branch of its own. Any worker may do it, and twice is harmless. */
export const publishResult = (
  { git, cache, repo, run }: Omit<RunFilesOptions, "place">,
  commit: string,
): Promise<void> =>
  withBare({ git, cache, repo }, async (asked) => {
    await asked("fetch", "-q", "--no-tags", "--", repo, `+refs/tildone/fleet/${run}:refs/fleet`);
    await asked("push", "-q", "--no-verify", "--force", "--", repo, `${commit}:refs/heads/tildone/${run}`);
  });
