import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../machine/index.ts";
import { createGit } from "../workspace/git.ts";
import { copyRepository, lookAtRepository, otherStandings, repositoryState, type Standing } from "./room-repository.ts";

let top: string;
const at = (...steps: readonly string[]) => join(top, ...steps);
const ask = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd: at(folder),
    encoding: "utf8",
  }).trim();
const git = createGit({ clock: systemClock(), env: process.env, timeoutMs: 30_000 });

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "repository-")));
  mkdirSync(at("project"));
  ask("project", "init", "-q", "-b", "main");
  writeFileSync(at("project/rules"), "strict\n");
  ask("project", "add", "-A");
  ask("project", "commit", "-qm", "begun");
  ask("project", "tag", "base");
});
afterEach(() => rmSync(top, { recursive: true }));

/** The agent commits other rules and moves every name; the room holds the work and the old rules. */
async function room(as: Standing): Promise<void> {
  const begun = await repositoryState(git, at("project"));
  writeFileSync(at("project/rules"), "lax\n");
  writeFileSync(at("project/work"), "done\n");
  ask("project", "checkout", "-qb", "topic");
  ask("project", "add", "-A");
  ask("project", "commit", "-qm", "feat: work");
  ask("project", "tag", "-f", "base");
  ask("project", "tag", "v2");
  ask("project", "config", "core.hooksPath", "/elsewhere");
  mkdirSync(at("room"));
  writeFileSync(at("room/rules"), "strict\n");
  writeFileSync(at("room/work"), "done\n");
  const entries = new Map(["rules", "work"].map((path) => [path, { mode: "100644", oid: "" }]));
  const found = lookAtRepository(git, at("project"), { begun, as });
  await copyRepository(git, await found, at("room"), { entries, ignored: new Map() });
}

test("a repository stands where the run began, and all of the work is a change", async () => {
  await room("begun");
  expect(ask("room", "show", "HEAD:rules")).toBe("strict");
  expect(ask("room", "symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(ask("room", "diff", "--name-only", "HEAD")).toBe("work");
  expect(ask("room", "diff", "--name-only", "base")).toBe("work");
  expect(ask("room", "ls-files").split("\n")).toEqual(["rules", "work"]);
  expect(ask("room", "rev-parse", "v2")).toBe(ask("project", "rev-parse", "v2"));
  expect(ask("room", "config", "--local", "--list")).not.toContain("hookspath");
});

test("for a check that wants nothing left to commit the room is a commit of its own", async () => {
  await room("committed");
  expect(ask("room", "status", "--porcelain")).toBe("");
  expect(ask("room", "log", "-1", "--format=%s")).toBe("feat: work");
  expect(ask("room", "show", "HEAD:rules")).toBe("strict");
  expect(ask("room", "rev-parse", "HEAD~1")).toBe(ask("room", "rev-parse", "base"));
});

test("for a check of commits and tags the history is the agent's", async () => {
  await room("as it is");
  expect(ask("room", "describe", "--tags", "--abbrev=0", "--match", "v*")).toBe("v2");
});

test.each<[string, readonly Standing[]]>([
  ["git diff --name-only HEAD", []],
  ["git diff --exit-code", ["committed"]],
  ["git log -1 --format=%s", ["as it is"]],
  ["git describe --dirty", ["committed", "as it is"]],
  ["npm test", []],
])("%s may stand otherwise: %j", (line, standings) => {
  expect(otherStandings([line.split(" ")])).toEqual(standings);
});
