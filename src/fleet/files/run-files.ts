import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../../core/report/index.ts";
import { hashOf } from "../../machine/index.ts";
import { withBare } from "./bare.ts";
import { createClaimedRef } from "./claimed-ref.ts";
import { explainGit, FilesError } from "./files-error.ts";
import type { FleetGit, GitCall } from "./fleet-git.ts";
import { EXCLUDED, holdsSecret } from "./withheld.ts";

export interface RunFilesOptions {
  readonly git: FleetGit;
  /** Clones that all runs of this worker share. */
  readonly cache: string;
  /** The folder of this run alone: `work` and what belongs to it. */
  readonly place: string;
  readonly run: string;
  readonly repo: string;
}

/** The files of a run at a checkpoint, as they stand in the remote. */
export interface FilesMark {
  readonly commit: string;
  /** New files that were kept back: they look like secrets. */
  readonly withheld: readonly string[];
}

/**
 * The files of one run on one machine. Three repositories, so that nothing the agent writes into the settings of its own is ever carried out:
 *
 *     cache    bare, shared by all runs of the worker
 *     work     the agent's: an ordinary repository on branch tildone/<run>
 *     exact    ours: takes and lays out the files byte for byte, and pushes them to refs/tildone/fleet/<run>
 */
export function openRunFiles({ git, cache, place, run, repo }: RunFilesOptions) {
  const shared = join(cache, `${hashOf("sha256", Buffer.from(repo)).toString("hex", 0, 16)}.git`);
  const work = join(place, "work");
  const exact = join(place, "exact.git");
  const index = join(exact, "index");
  const ref = `refs/tildone/fleet/${run}`;
  const claimed = createClaimedRef({ tip: remoteTip, epochOf, move });
  let last: Taken | undefined;
  /** What the run started from. */
  let base: string | undefined;
  const searched = new Map<string, boolean>();

  return { work, takeOver, begin, beginAgain, restore, checkpoint, result, changes, discard, stop: claimed.stop };

  /**
   * Makes the remote refuse the worker that had the run before. Gives false where a newer claim was there first.
   */
  async function takeOver(epoch: number, mark?: string): Promise<boolean> {
    await openCache();
    await openExact();
    return claimed.takeOver(epoch, async (tip) => {
      const parents = [...new Set([tip, mark].filter((each) => each !== undefined))];
      const tree = await (mark === undefined ? into(["mktree"], { input: "" }) : into(["rev-parse", `${mark}^{tree}`]));
      return commitOf(tree, parents, `Run ${run} is taken over\n\nClaim: ${epoch}`);
    });
  }

  /** A new workspace at the state the run starts from. `from`: a branch, tag or commit; absent: the default branch. */
  async function begin(from: string | undefined): Promise<string> {
    await openCache();
    await openExact();
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
    await into(["read-tree", "-u", "--reset", mark], { variables: laidOut() });
    await inWork(["read-tree", facts.staged]);
    await inWork(["update-index", "-q", "--refresh"], "may fail");
  }

  /** Takes the files and pushes them. Where nothing changed since the last one, that one is still right. */
  async function checkpoint(epoch: number): Promise<FilesMark> {
    const taken = await take();
    if (last && isSame(last, taken)) return { commit: last.commit!, withheld: taken.withheld };
    const staged = await commitOf(taken.staged, [taken.head], "What is staged");
    const facts = [
      `Head: ${taken.head}`,
      ...(taken.branch === undefined ? [] : [`Branch: ${taken.branch}`]),
      `Staged: ${taken.staged}`,
      ...(base === undefined ? [] : [`Base: ${base}`]),
      `Claim: ${epoch}`,
    ].join("\n");
    const parents = [...tips(), taken.head, staged, ...(base === undefined ? [] : [base])];
    const commit = await commitOf(taken.tree, [...new Set(parents)], `Checkpoint of run ${run}\n\n${facts}`);
    if ((await claimed.push(commit)) === "fenced")
      throw new FilesError("fenced", "Another worker has this run by now.");
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
    const marked = await commitOf(tree, [...tips(), commit], `Result of run ${run}\n\nClaim: ${epoch}`, there);
    if ((await claimed.push(marked, shared)) === "fenced")
      throw new FilesError("fenced", "Another worker has this run by now.");
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

  function discard(): void {
    for (const folder of [work, exact]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async function openCache(): Promise<void> {
    if (existsSync(join(shared, "HEAD"))) {
      const now = new Date();
      return utimesSync(shared, now, now); // the ones that were not used for longest go first
    }
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const draft = `${shared}.${crypto.randomUUID()}`;
    await asked(["init", "-q", "--bare", "--template=", draft]);
    try {
      renameSync(draft, shared);
    } catch (error) {
      if (!existsSync(join(shared, "HEAD"))) throw error;
      rmSync(draft, { recursive: true, force: true }); // another runner was first
    }
  }

  async function openExact(): Promise<void> {
    if (existsSync(join(exact, ALTERNATES))) return;
    const draft = `${exact}.new`;
    for (const left of [draft, exact]) rmSync(left, { recursive: true, force: true, maxRetries: 3 }); // a worker died while it made them
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await asked(["init", "-q", "--bare", "--template=", draft]);
    mkdirSync(join(draft, "info"), { recursive: true });
    writeFileSync(join(draft, "info/attributes"), EXACT);
    writeFileSync(join(draft, "info/exclude"), `${EXCLUDED.join("\n")}\n`);
    writeFileSync(join(draft, ALTERNATES), `${join(shared, "objects")}\n`);
    renameSync(draft, exact);
  }

  async function newWork(known: string, branch: string, head = known): Promise<void> {
    rmSync(work, { recursive: true, force: true, maxRetries: 3 });
    rmSync(index, { force: true });
    last = undefined;
    await asked(["init", "-q", "--template=", "-b", branch, work]);
    mkdirSync(join(work, ".git/info"), { recursive: true });
    writeFileSync(join(work, ".git/objects/info/alternates"), `${join(shared, "objects")}\n`);
    await inWork(["fetch", "-q", "--no-tags", "--no-write-fetch-head", exact, `+${known}:refs/tildone/restored`]);
    await inWork(["update-ref", `refs/heads/${branch}`, head]);
    await inWork(["remote", "add", "origin", repo]);
  }

  async function fetchBase(from: string | undefined): Promise<string> {
    const name = from ?? "HEAD";
    if (name.startsWith("-")) throw new FilesError("no_ref", `"${name}" is no branch, tag or commit.`);
    await fetchInto(shared, `+${name}:refs/runs/${run}/base`);
    const base = await asked(["--git-dir", shared, "rev-parse", `refs/runs/${run}/base^{commit}`]);
    await into(["update-ref", "refs/base", base]);
    return base;
  }

  async function fetchInto(directory: string, spec: string): Promise<void> {
    const args = ["fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--", repo, spec];
    const fetched = await git(["--git-dir", directory, ...args]);
    if (fetched.status === "failed") throw explainGit(fetched.problem, repo);
  }

  async function remoteTip(): Promise<string | undefined> {
    const listed = await git(["ls-remote", "--", repo, ref]);
    if (listed.status === "failed") throw explainGit(listed.problem, repo);
    return /^[0-9a-f]{40,64}/.exec(listed.output)?.[0];
  }

  async function move(commit: string, from: string | undefined, directory = exact): Promise<"moved" | "fenced"> {
    const lease = `--force-with-lease=${ref}:${from ?? ""}`;
    const args = ["push", "-q", "--no-verify", lease, "--", repo, `${commit}:${ref}`];
    const pushed = await git(["--git-dir", directory, ...args], { variables: alternates() });
    if (pushed.status === "ok") return "moved";
    const problem = explainGit(pushed.problem, repo);
    if (problem.code === "fenced") return "fenced";
    throw problem;
  }

  function tips(): readonly string[] {
    const tip = claimed.tip();
    return tip === undefined ? [] : [tip];
  }

  async function take(): Promise<Taken> {
    const { head, branch } = await whereabouts();
    const there = { variables: laidOut() };
    if (!existsSync(index)) await into(["read-tree", head], there);
    await into(["add", "-A", "--ignore-errors"], there, "may fail"); // a file may go while it is read
    const withheld = await withhold(head, there);
    const tree = await into(["write-tree"], there);
    return { head, branch, tree, staged: await stagedTree(head), withheld };
  }

  /** New files that hold what looks like a key do not leave this machine. */
  async function withhold(head: string, there: GitCall): Promise<readonly string[]> {
    const listed = await into(["diff-index", "--cached", "-z", "--diff-filter=A", "--no-renames", head], there);
    const found: string[] = [];
    for (const [, oid, path] of listed.matchAll(/:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) A\0([^\0]*)\0/g)) {
      const known = searched.get(oid!);
      const isSecret = known ?? holdsSecret(readNow(join(work, Buffer.from(path!, "latin1").toString())));
      searched.set(oid!, isSecret);
      if (isSecret) found.push(path!);
    }
    if (found.length > 0)
      await into(["update-index", "-z", "--force-remove", "--stdin"], {
        ...there,
        input: found.map((path) => `${path}\0`).join(""),
      });
    return found;
  }

  /** What the agent staged; in the middle of a merge, what was committed. */
  async function stagedTree(head: string): Promise<string> {
    const copy = join(place, "staged.index");
    const own = join(work, ".git/index");
    const headTree = () => into(["rev-parse", `${head}^{tree}`], { variables: alternates() });
    if (!existsSync(own)) return headTree();
    copyFileSync(own, copy);
    const written = await git(["--git-dir", exact, "write-tree"], {
      variables: { ...alternates(), GIT_INDEX_FILE: copy },
    });
    return written.status === "ok" ? written.output.trim() : headTree();
  }

  async function whereabouts(): Promise<{ readonly head: string; readonly branch?: string }> {
    const head = await inWork(["rev-parse", "HEAD"]);
    const named = await git(["-C", work, "symbolic-ref", "-q", "--short", "HEAD"]);
    return named.status === "ok" ? { head, branch: named.output.trim() } : { head };
  }

  async function factsOf(mark: string): Promise<Facts> {
    const shown = await git(["--git-dir", exact, "log", "-1", "--format=%B", mark]);
    const text = shown.status === "ok" ? shown.output : "";
    const fact = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1];
    const [head, branch, staged, from] = [fact("Head"), fact("Branch"), fact("Staged"), fact("Base")];
    if (head === undefined || staged === undefined)
      throw new FilesError("no_checkpoint", `The last checkpoint of run ${run} is no longer in ${repo}.`);
    return { head, staged, ...(branch !== undefined && { branch }), ...(from !== undefined && { base: from }) };
  }

  async function epochOf(commit: string): Promise<number> {
    await fetchInto(exact, `+${ref}:refs/seen`);
    const shown = await git(["--git-dir", exact, "log", "-1", "--format=%B", commit]);
    return Number((shown.status === "ok" && /^Claim: (\d+)$/m.exec(shown.output)?.[1]) || 0);
  }

  function commitOf(tree: string, parents: readonly string[], message: string, call?: GitCall): Promise<string> {
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
    return call ? asked(args, { ...call, input: message }) : into(args, { variables: alternates(), input: message });
  }

  /** Our own view of the agent's files. */
  function laidOut(): Record<string, string> {
    return { ...alternates(), GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
  }

  function alternates(): Record<string, string> {
    return { GIT_ALTERNATE_OBJECT_DIRECTORIES: [join(work, ".git/objects"), join(exact, "objects")].join(":") };
  }

  function into(args: readonly string[], call?: GitCall, how: How = "must work"): Promise<string> {
    const there = call?.variables?.GIT_WORK_TREE;
    return asked(["--git-dir", exact, ...args], { ...(there !== undefined && { cwd: there }), ...call }, how);
  }

  function inWork(args: readonly string[], how: How = "must work"): Promise<string> {
    return asked(["-C", work, ...args], {}, how);
  }

  async function asked(args: readonly string[], call: GitCall = {}, how: How = "must work"): Promise<string> {
    const there = call.variables?.GIT_WORK_TREE;
    const answer = await git(args, { ...(there !== undefined && { cwd: there }), ...call });
    if (answer.status === "ok") return answer.output.trim();
    if (how === "may fail") return "";
    throw new FilesError(
      "failed",
      `git ${args.find((arg) => /^[a-z]+-?[a-z]*$/.test(arg))} failed: ${answer.problem.slice(0, 500)}`,
    );
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

type How = "must work" | "may fail";

interface Facts {
  readonly head: string;
  readonly branch?: string;
  readonly staged: string;
  readonly base?: string;
}

interface Taken {
  readonly head: string;
  readonly branch?: string | undefined;
  readonly tree: string;
  readonly staged: string;
  readonly withheld: readonly string[];
  readonly commit?: string;
}

const isSame = (a: Taken, b: Taken): boolean =>
  a.head === b.head && a.branch === b.branch && a.tree === b.tree && a.staged === b.staged;

/** It may be gone by now, or be a link or a folder: there is nothing to search. */
function readNow(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return Buffer.alloc(0);
    throw error;
  }
}

const ALTERNATES = "objects/info/alternates";

/** Above every .gitattributes of the project: bytes go in and come out as they are. */
const EXACT = "* -text -eol -filter -ident -working-tree-encoding -diff -merge\n";
