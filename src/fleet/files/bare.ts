import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { explainGit } from "./files-error.ts";
import type { FleetGit } from "./fleet-git.ts";

/** An empty repository for as long as `body` needs one to fetch and push with. What git refuses is thrown as a sentence. */
export async function withBare<T>(
  { git, cache, repo }: { readonly git: FleetGit; readonly cache: string; readonly repo: string },
  body: (asked: (...args: readonly string[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const directory = join(cache, `bare-${crypto.randomUUID()}.git`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  try {
    await call("init", "-q", "--bare", "--template=", directory);
    return await body((...args) => call("--git-dir", directory, ...args));
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }

  async function call(...args: readonly string[]): Promise<void> {
    const answer = await git(args);
    if (answer.status === "failed") throw explainGit(answer.problem, repo);
  }
}
