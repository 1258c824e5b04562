import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { redact } from "../../core/secret/index.ts";
import { isRepository } from "../../machine/index.ts";
import { UsageError } from "../command.ts";

/** Ways to reach a repository that start no program of the submitter's choice: `ext::sh -c …` would. */
const ADDRESS = /^(https?|ssh|git|file):\/\/[^\s-][^\s]*$/;
const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:[^\s:-][^\s]*$/;

/** The repository as workers are given it: it stands in the database, so it holds no credentials. */
export function repositoryOf(given: string, cwd: string): string {
  const repo = given.trim();
  if (SCP_LIKE.test(repo)) return repo;
  if (ADDRESS.test(repo) && URL.canParse(repo)) {
    const { protocol, username, password } = new URL(repo);
    if (password !== "" || (username !== "" && protocol.startsWith("http")) || redact(repo) !== repo)
      throw new UsageError(
        "--repo must not contain a user, password or token. Workers use their own git credentials: give the address alone.",
      );
    return repo;
  }
  if (isAbsolute(repo)) return resolve(repo); // it may be there on the worker alone
  if (/^\.{1,2}(\/|$)/.test(repo)) {
    const folder = resolve(cwd, repo);
    if (isRepository(folder) || existsSync(join(folder, "HEAD"))) return folder;
    throw new UsageError(
      `--repo ${repo.slice(0, 100)} is no git repository: there is none in ${folder.slice(0, 200)}.`,
    );
  }
  throw new UsageError(
    `--repo must be an address such as https://example.com/team/repo.git or git@example.com:team/repo.git, or a folder; it is "${redact(repo).slice(0, 100)}".`,
  );
}
