import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunFilesOptions, RunGit } from "./run-git.ts";
import { EXCLUDED } from "./withheld.ts";

/** Makes the repositories of a run. A worker may die at any moment of it, and another one may do the same at that moment. */
export function createFolders(
  { shared, work, exact, index, asked, inWork }: RunGit,
  { cache, place, repo }: Pick<RunFilesOptions, "cache" | "place" | "repo">,
) {
  return { open, newWork, discard };

  async function open(): Promise<void> {
    await openShared();
    await openExact();
  }

  async function openShared(): Promise<void> {
    if (existsSync(join(shared, "HEAD"))) {
      const now = new Date();
      utimesSync(shared, now, now); // the ones that were not used for longest go first
      return;
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
    for (const left of [draft, exact]) remove(left); // a worker died while it made them
    mkdirSync(place, { recursive: true, mode: 0o700 });
    await asked(["init", "-q", "--bare", "--template=", draft]);
    mkdirSync(join(draft, "info"), { recursive: true });
    writeFileSync(join(draft, "info/attributes"), EXACT);
    writeFileSync(join(draft, "info/exclude"), `${EXCLUDED.join("\n")}\n`);
    writeFileSync(join(draft, ALTERNATES), `${join(shared, "objects")}\n`);
    renameSync(draft, exact);
  }

  /** Of the agent, without its files. `known`: a commit that `exact` has. */
  async function newWork(known: string, branch: string, head = known): Promise<void> {
    remove(work);
    rmSync(index, { force: true });
    await asked(["init", "-q", "--template=", "-b", branch, work]);
    mkdirSync(join(work, ".git/info"), { recursive: true });
    writeFileSync(join(work, ".git", ALTERNATES), `${join(shared, "objects")}\n`);
    await inWork(["fetch", "-q", "--no-tags", "--no-write-fetch-head", exact, `+${known}:refs/tildone/restored`]);
    await inWork(["update-ref", `refs/heads/${branch}`, head]);
    await inWork(["remote", "add", "origin", repo]);
  }

  function discard(): void {
    for (const folder of [work, exact]) remove(folder);
  }
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

const ALTERNATES = "objects/info/alternates";

/** Above every .gitattributes of the project: bytes go in and come out as they are. */
const EXACT = "* -text -eol -filter -ident -working-tree-encoding -diff -merge\n";
