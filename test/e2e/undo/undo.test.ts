import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Script, startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, linesOf, type Place } from "../agent/tildone.ts";

const LONG = { timeout: 300_000 };

const todo = (at: number, path: string, content: string) => ({
  calls: [
    ["edit_todos", { action: "start", indices: [at] }],
    ["write", { path, content }],
    ["edit_todos", { action: "complete", indices: [at] }],
  ] as const,
});

const works: Script = [
  { calls: [["write_todos", { mode: "replace", todos: [{ text: "Write one" }, { text: "Write two" }] }]] },
  todo(0, "one.txt", "one\n"),
  todo(1, "src/two.txt", "two\n"),
  { text: "Done." },
];

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" });

/** It cannot tell good work from bad: you can, and you undo it. */
const CHECK = "test -s one.txt && test -s src/two.txt";

let place: Place;
let run: string;
const at = (path: string) => join(place.project, path);
const repository = () => [
  git(place.project, "for-each-ref"),
  git(place.project, "reflog"),
  git(place.project, "stash", "list"),
];

async function agent(script: Script, ...args: readonly string[]) {
  const provider = await startScriptedModel(script);
  const flags = ["--base-url", `${provider.url}/v1`, "--model", "scripted", "--approval", "auto-edit", "--json"];
  const { out } = await place.tildone("run", ...args, ...flags);
  await provider.close();
  return { ...linesOf(out), out, provider };
}

beforeAll(async () => {
  place = aPlace();
  git(place.project, "init", "-q");
  writeFileSync(at("one.txt"), "before\n");
  git(place.project, "add", ".");
  git(place.project, "commit", "-qm", "first");
  mkdirSync(at("mine"));
  writeFileSync(at("mine/notes.txt"), "yours\n");
  const { result } = await agent(works, "write two files", "--check", CHECK);
  expect(result.reason).toBe("all_done");
  ({ run } = result);
}, 300_000);
afterAll(async () => place[Symbol.asyncDispose]());

test("checkpoints lists what was recorded, and diff shows what a todo changed", LONG, async () => {
  const { out } = await place.tildone("checkpoints", "--json");
  const listed = JSON.parse(out) as { checkpoints: { moment: string; todos: number[]; changed: { files: number } }[] };
  expect(
    listed.checkpoints.filter(({ changed }) => changed.files > 0).map(({ moment, todos }) => [moment, todos]),
  ).toEqual([
    ["end", [0]],
    ["end", [1]],
  ]);
  expect((await place.tildone("checkpoints")).out).toMatch(/finished \[0\] Write one .* 1 file, \+1 -1/);
  expect((await place.tildone("diff", "0")).out).toContain("-before\n+one");
  expect((await place.tildone("diff", "1", "--stat")).out).toMatch(/src\/two\.txt \| 1 \+/);
});

test("undo reverts a todo, keeps your changes, and redo restores it", LONG, async () => {
  const before = repository();
  writeFileSync(at("mine/notes.txt"), "yours, changed\n");
  const undone = await place.tildone("undo");
  expect(undone).toMatchObject({ code: 0, err: "" });
  expect(undone.out).toBe(
    "Undid [1] Write two (1 file, +0 -1). The todo is open again, and the agent is told. tildone redo restores it.\n",
  );
  expect(existsSync(at("src"))).toBe(false);
  expect(readFileSync(at("mine/notes.txt"), "utf8")).toBe("yours, changed\n");
  expect((await place.tildone("todo", "list")).out).toMatch(/\[1\].*Write two/);
  expect((await place.tildone("status")).out, "what is open is not proven").not.toContain("Done and proven");
  expect((await place.tildone("why")).out).toContain(`${run} is stopped: open again after it was done: 1 todo open.`);
  expect((await place.tildone("report")).out).toContain("Open again after it was done.");
  expect((await place.tildone("undo", "1")).err).toContain("[1] is already undone. tildone redo restores it.");
  expect((await place.tildone("redo")).out).toContain("Restored [1] Write two (1 file, +1 -0).");
  expect(readFileSync(at("src/two.txt"), "utf8")).toBe("two\n");
  expect((await place.tildone("redo")).err).toContain("Nothing was undone");
  expect(repository()).toEqual(before);
  expect(git(place.project, "status", "--porcelain", "-uall")).toBe(" M one.txt\n?? mine/notes.txt\n?? src/two.txt\n");
});

test("undo refuses where you changed the same lines, and --force asks", LONG, async () => {
  writeFileSync(at("one.txt"), "yours\n");
  const refused = await place.tildone("undo", "0");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("one.txt: the same lines were changed by you");
  expect(refused.err).toContain("or overwrite them: tildone undo 0 --force\n");
  expect(readFileSync(at("one.txt"), "utf8")).toBe("yours\n");
  expect((await place.tildone("undo", "0", "--force")).err).toContain("there is no terminal to ask on");
  expect(readFileSync(at("one.txt"), "utf8")).toBe("yours\n");
  expect((await place.tildone("undo", "0", "--force", "--yes")).code).toBe(0);
  expect(readFileSync(at("one.txt"), "utf8")).toBe("before\n");
});

test("the agent is told, and does the work again", LONG, async () => {
  const again: Script = [todo(0, "one.txt", "one, again\n"), { text: "Done." }];
  const { out, result, provider } = await agent(again, "--resume", run);
  expect(JSON.parse(out.split("\n")[0]!), "what it is judged by").toMatchObject({ type: "start", checks: [CHECK] });
  expect(result.reason).toBe("all_done");
  expect(readFileSync(at("one.txt"), "utf8")).toBe("one, again\n");
  expect(JSON.stringify(provider.requests[0])).toContain("I undid your work on [0]");
  const told = JSON.stringify(provider.requests.at(-1)?.messages).split("I undid your work on [0]").length - 1;
  expect(told).toBe(1);
  expect((await place.tildone("say", "hello")).err).toBe(
    `tildone: Run ${run} is over. Continue it with: tildone run --resume ${run} "what to do next"\n`,
  );
  expect((await place.tildone("approve")).err).toBe(
    `tildone: Run ${run} is over: nothing in it waits for an answer.\n`,
  );
});

test(
  "an agent that works is not disturbed; after hold --now its work is undone, and it does it again",
  LONG,
  async () => {
    const answers = Promise.withResolvers<void>();
    const provider = await startScriptedModel([...works.slice(0, 3), { text: "Done.", after: answers.promise }]);
    const flags = ["--base-url", `${provider.url}/v1`, "--model", "scripted", "--approval", "auto-edit", "--json"];
    await using other = aPlace({ TILDONE_CHECKPOINTS: "true" });
    const running = other.start("run", "write two files", "--check", CHECK, ...flags);
    await provider.received(4);
    const refused = await other.tildone("undo", "1", "--json");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({
      status: "refused",
      text: expect.stringMatching(/^The agent is working on \S+\. Stop it first: tildone hold --now, then undo, /),
      conflicts: [],
    });
    await other.tildone("hold", "--now");
    answers.resolve();
    const { result } = linesOf((await running.ended).out);
    expect(result.reason).toBe("held");
    const undone = JSON.parse((await other.tildone("undo", "1", "--json")).out) as object;
    expect(undone).toMatchObject({
      status: "done",
      undo: "u1",
      todos: [1],
      files: ["src/two.txt"],
      added: 0,
      removed: 1,
    });
    expect(existsSync(join(other.project, "src/two.txt"))).toBe(false);
    await other.tildone("unhold");
    provider.play([todo(1, "src/two.txt", "two, again\n"), { text: "Done." }]);
    const resumed = linesOf((await other.tildone("run", "--resume", result.run, ...flags)).out);
    expect(resumed.result.reason).toBe("all_done");
    const [heard] = provider.requests.slice(4);
    expect(JSON.stringify(heard)).toContain("I undid your work on [1]");
    await provider.close();
  },
);

test("diff --json counts lines and holds the patch", LONG, async () => {
  const shown = JSON.parse((await place.tildone("diff", "0", "--json")).out) as { diff: string };
  expect(shown).toMatchObject({ run, files: [{ path: "one.txt", added: 1, removed: 1 }] });
  expect(shown.diff).toContain("+one, again");
});

test("what cannot be undone is said, and removing the run removes its checkpoints", LONG, async () => {
  expect((await place.tildone("undo", "7")).err).toContain('There is no todo and no checkpoint "7"');
  await place.tildone("runs", "delete", run, "--yes", "--force");
  expect((await place.tildone("undo")).err).toContain("There is no run on this machine yet");
});
