import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/builders/fake-io.ts";
import { repositoryOf } from "../fleet/repository.ts";
import { run } from "../index.ts";
import { parse } from "../parse.ts";
import { submissionOf, submit } from "./submit.ts";

const { io } = fakeIo({ cwd: "/work", home: "/work" });
const read = (...argv: string[]) => submissionOf(parse(submit, argv), io);
const REPO = ["--repo", "https://example.com/team/app.git"];

test("a goal with everything", () => {
  const {
    run: id,
    by,
    ...rest
  } = read(
    ...["fix it", ...REPO, "--ref", "main", "--check", "npm test", "--check", "npm run lint", "--prepare", "npm ci"],
    ...[
      "--needs",
      "linux, gpu,gpu",
      "--priority",
      "0",
      "--budget",
      "tokens=5_000,minutes=60",
      "--max-cost",
      "2",
      "--pr",
    ],
  );
  expect(id).toMatch(/^[a-z2-9]{8}$/);
  expect(by).toContain("@");
  expect(rest).toEqual({
    ...{ goal: "fix it", repo: "https://example.com/team/app.git", ref: "main", prepare: "npm ci" },
    ...{ checks: ["npm test", "npm run lint"], queue: "runs", needs: ["gpu", "linux"], priority: 0, pr: true },
    budget: { tokens: 5000, minutes: 60, cost: 2 },
  });
});

test.each([
  ["an address", "git@example.com:team/app.git", "git@example.com:team/app.git"],
  ["with a user of ssh", "ssh://git@example.com/app.git", "ssh://git@example.com/app.git"],
  ["a folder that may be on the worker alone", "/srv/../srv/app.git", "/srv/app.git"],
])("the repository is %s", (_what, given, repo) => expect(read("go", "--repo", given).repo).toBe(repo));

test("a folder beside this one is a repository, or a mistake: also one that a sandbox left an empty .git in", () => {
  const around = mkdtempSync(join(tmpdir(), "submit-"));
  const cwd = join(around, "work");
  for (const folder of [".git", "work/.git", "work/app.git", "work/empty"])
    mkdirSync(join(around, folder), { recursive: true });
  writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(cwd, "app.git/HEAD"), "ref: refs/heads/main\n");
  const repoOf = (repo: string) => repositoryOf(repo, cwd);
  expect([repoOf("."), repoOf("./app.git")]).toEqual([cwd, join(cwd, "app.git")]);
  for (const wrong of ["./ap.git", "./empty", ".."]) expect(() => repoOf(wrong)).toThrow("is no git repository");
  rmSync(around, { recursive: true });
});

test.each([
  ["no goal", [...REPO], /Say what to do/],
  ["no repository", ["go"], /Say which repository/],
  ["a password in the address", ["go", "--repo", "https://me:hunter2@example.com/a.git"], /must not contain a user/],
  [
    "a token in the address",
    ["go", "--repo", "https://ghp_0123456789abcdefghij@example.com/a.git"],
    /must not contain/,
  ],
  ["a way to run programs", ["go", "--repo", "ext::sh -c id"], /must be an address/],
  ["an option of git", ["go", "--repo", "--upload-pack=id"], /must be an address|needs a value|argument/],
  ["a host that is none", ["go", ...REPO, "--host", "emacs"], /--host is one of/],
  ["an option as ref", ["go", ...REPO, "--ref", "../x"], /--ref is a branch/],
  ["two limits of one kind", ["go", ...REPO, "--budget", "tokens=1", "--max-tokens", "2"], /both limit tokens/],
  ["a budget of nothing", ["go", ...REPO, "--max-tokens", "0"], /--max-tokens needs a whole number from 1/],
  ["half a token", ["go", ...REPO, "--budget", "tokens=0.5"], /--budget tokens needs a whole number from 1/],
  ["no money", ["go", ...REPO, "--budget", "cost=0"], /--budget cost needs a number above 0/],
  ["nonsense as budget", ["go", ...REPO, "--budget", "nonsense"], /--budget is tokens=N,cost=N,minutes=N/],
  ["a limit that stands twice in a budget", ["go", ...REPO, "--budget", "tokens=1,tokens=2"], /limits tokens twice/],
  ["two budgets", ["go", ...REPO, "--budget", "tokens=1", "--budget", "cost=2"], /--budget was given twice/],
  ["two limits", ["go", ...REPO, "--max-tokens", "1", "--max-tokens", "2"], /--max-tokens was given twice/],
  ["a priority below 0", ["go", ...REPO, "--priority=-1"], /--priority needs a number that is not negative, not "-1"/],
  ["a value with a dash", ["go", ...REPO, "--priority", "-1"], /begins with a dash is written --priority=-…$/],
  ["a hexadecimal priority", ["go", ...REPO, "--priority", "0x10"], /--priority needs a number/],
  ["labels without a name", ["go", ...REPO, "--needs", ","], /--needs takes labels .* names none/],
  ["no model", ["go", ...REPO, "--model", ""], /--model is provider\/id/],
  ["a queue that is no name", ["go", ...REPO, "--queue", "a b"], /--queue is a name/],
  ["a check that proves nothing", ["go", ...REPO, "--check", "true"], /--check "true" always passes/],
  ["a secret in a command", ["go", ...REPO, "--check", "curl -u me:hunter2hunter2 x"], /looks like a secret/],
  ["keys in the server's address", ["go", ...REPO, "--base-url", "http://u:hunter2@x/v1"], /must not contain/],
])("%s is refused with a sentence, before any database", async (_what, argv, says) => {
  const { io: own, all } = fakeIo({ cwd: "/work", home: "/work/none", env: { TILDONE_HOME: "/nonexistent/t" } });
  expect(await run(["submit", ...argv], own)).toBe(2);
  expect(all.join("\n")).toMatch(says);
  expect(all.join("\n")).not.toContain("hunter2");
});
