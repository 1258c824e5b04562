import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { fakeIo } from "../builders/fake-io.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

let server: TestPostgres;
let home: string;
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.database();
  home = mkdtempSync(join(tmpdir(), "tildone-fleet-remove-"));
  mkdirSync(join(home, "work"));
  await tildone("fleet", "init");
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

async function tildone(...argv: string[]) {
  const env = { TILDONE_HOME: join(home, "t"), PATH: process.env.PATH };
  const { io, out, err } = fakeIo({ env, cwd: join(home, "work"), home, now: Date.now, databaseUrl });
  const code = await run(argv, io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** A goal whose checkpoint stands in its repository. */
async function submitted(name: string): Promise<{ readonly id: string; readonly repo: string }> {
  const repo = join(home, name);
  git("init", "-q", "--bare", repo);
  const { out } = await tildone("submit", "fix the tests", "--repo", repo, "--json");
  const { run: id } = JSON.parse(out) as { run: string };
  const as = ["-c", "user.name=a", "-c", "user.email=a@b"];
  const tree = execFileSync("git", ["-C", repo, "mktree"], { input: "", encoding: "utf8" }).trim();
  const commit = git("-C", repo, ...as, "commit-tree", tree, "-m", "x").trim();
  for (const ref of [`refs/tildone/fleet/${id}`, `refs/heads/tildone/${id}`])
    git("-C", repo, "update-ref", ref, commit);
  return { id, repo };
}
const refsIn = (repo: string) => git("-C", repo, "for-each-ref", "--format=%(refname)").trim().split("\n");

test("delete removes a run of the fleet that is over, with its checkpoints; the branch stays", async () => {
  const { id, repo } = await submitted("one.git");
  expect(await tildone("runs", "delete", id, "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${id} is not over. End it first: tildone cancel ${id}`),
  });
  await tildone("cancel", id);
  expect((await tildone("runs", "delete", id, "--dry-run")).out).toMatch(/Would remove 1 run; nothing was removed/);
  expect(await tildone("runs", "delete", id.slice(0, 6), "--yes")).toEqual({
    ...{ code: 0, err: "", out: expect.stringMatching(/Removed 1 run of the fleet\. Branches of results stay\.$/) },
  });
  expect(refsIn(repo)).toEqual([`refs/heads/tildone/${id}`]);
  expect((await tildone("status", id)).err).toContain(`There is no run "${id}"`);
  const left = await server.sql(
    `SELECT 1 FROM tildone_dbos.workflow_status WHERE workflow_uuid LIKE '${id}.%'`,
    new URL(databaseUrl).pathname.slice(1),
  );
  expect(left).toEqual([]);
});

test("prune --fleet removes what is over for so long, says what it could not remove, and leaves open runs", async () => {
  const [over, open, lost] = [await submitted("two.git"), await submitted("three.git"), await submitted("four.git")];
  for (const { id } of [over, lost]) await tildone("cancel", id);
  rmSync(lost.repo, { recursive: true });
  expect((await tildone("runs", "prune", "--fleet", "--yes")).out).toBe(
    "The fleet has no run that is over for so long.",
  );
  await server.sql(
    "UPDATE tildone.runs SET updated_at = updated_at - 40 * 86400000::float8",
    new URL(databaseUrl).pathname.slice(1),
  );
  const { code, out, err } = await tildone("runs", "prune", "--fleet", "--older-than", "30d", "--yes");
  expect([code, out]).toEqual([0, expect.stringContaining("Removed 2 runs of the fleet.")]);
  expect(err).toContain(`The checkpoints of ${lost.id} stay in its repository, as refs/tildone/fleet/${lost.id}.`);
  expect((await tildone("status", open.id)).code).toBe(0);
  expect(refsIn(over.repo)).toEqual([`refs/heads/tildone/${over.id}`]);
});
