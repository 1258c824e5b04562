import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { askedFor, stopsAfterEachItem, workOn, writeList } from "../pi/models.ts";
import { aPlace, linesOf } from "./tildone.ts";

const LONG = { timeout: 60_000 };
const model = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "auto-edit"];

test(
  "a goal is carried through although the model stops after every item; --json ends in the result",
  LONG,
  async () => {
    await using place = aPlace();
    const provider = await startScriptedModel(stopsAfterEachItem(3));
    const { code, out, err } = await place.tildone("run", "make three files", "--json", ...model(provider.url));
    await provider.close();
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect({ err, code, last: lines.at(-1) }).toMatchObject({
      err: "",
      code: 0,
      last: { type: "result", reason: "done_unproven", exit: 0 },
    });
    expect(lines.at(-1).todos.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill("completed"));
    expect(readdirSync(place.project).sort()).toEqual(["file-0.txt", "file-1.txt", "file-2.txt"]);
  },
);

const lists = (_request: ModelRequest, count: number): Step =>
  count === 1 ? { calls: [writeList(2)] } : { text: "I think about it." };

test.each<[string, number, (request: ModelRequest, count: number) => Step, readonly string[]]>([
  ["no_progress", 3, lists, []],
  ["budget_tokens", 4, lists, ["--max-tokens", "1"]],
  ["disabled", 5, lists, ["--agent", "task"]],
  ["provider_error", 6, () => ({ status: 401, message: "this key is not valid" }), []],
])("--json says %s in its last line, and the process exits with its %i", LONG, async (reason, exit, script, flags) => {
  await using place = aPlace();
  const provider = await startScriptedModel(script);
  const { code, out, err } = await place.tildone("run", "two files", "--json", ...flags, ...model(provider.url));
  await provider.close();
  const { result } = linesOf(out);
  expect({ code, err, type: result.type, reason: result.reason, exit: result.exit }).toEqual({
    code: exit,
    err: "",
    type: "result",
    reason,
    exit,
  });
});

test("a check of the user proves it, and one that fails is not done", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel(stopsAfterEachItem(1));
  const proven = await place.tildone("run", "x", "--check", "test -f file-0.txt", ...model(provider.url));
  expect(proven.out).toContain("Done and proven: every required check passed.");
  expect(proven.code).toBe(0);
  provider.play((request, count) => (count > 60 ? { text: "ok" } : stopsAfterEachItem(1)(request)));
  const failed = await place.tildone(
    "run",
    "x",
    "--check",
    "test -f never.txt",
    "--max-continuations",
    "4",
    ...model(provider.url),
  );
  await provider.close();
  expect(failed.out).not.toContain("every check passed");
  expect(failed.code).toBe(3);
});

test("a call that asks waits, says how to answer it, and continues when another terminal does", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel((request) => {
    if (request.messages.at(-1)?.role === "tool") return { text: "done" };
    if (askedFor(request) === undefined) return { calls: [writeList(1)] };
    return {
      calls: [
        ["edit_todos", { action: "start", indices: [0] }],
        ["bash", { command: "touch asked.txt" }],
        ["edit_todos", { action: "complete", indices: [0] }],
      ],
    };
  });
  const run = place.start("run", "x", ...model(provider.url));
  const [line = ""] = await run.printed(/^ *tildone approve [0-9a-f]{12} --run \w+.*\n/m);
  expect(line.length).toBeLessThan(80);
  expect(existsSync(join(place.project, "asked.txt"))).toBe(false);
  expect((await place.tildone(...line.trim().split(" ").slice(1, 5))).code).toBe(0);
  const { code } = await run.ended;
  await provider.close();
  expect(code).toBe(0);
  expect(existsSync(join(place.project, "asked.txt"))).toBe(true);
});

test("SIGINT stops and can be resumed", LONG, async () => {
  await using place = aPlace();
  const gate = Promise.withResolvers<void>();
  const provider = await startScriptedModel((request, count) => ({
    ...stopsAfterEachItem(3)(request),
    ...(count === 4 && { after: gate.promise }),
  }));
  const run = place.start("run", "x", ...model(provider.url));
  await provider.received(4);
  run.child.kill("SIGINT");
  const { code, out } = await run.ended;
  gate.resolve();
  expect({ code, out }).toMatchObject({ code: 130, out: expect.stringContaining("--resume") });
  const resumed = await place.tildone("run", "--resume", ...model(provider.url));
  await provider.close();
  expect({ code: resumed.code, err: resumed.err }).toEqual({ code: 0, err: "" });
  expect(readdirSync(place.project)).toHaveLength(3);
});

/** Begins the one item with a command, and completes it when it is asked again. */
const runsCommand =
  (command: string) =>
  (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
    const words = request.messages.at(-1)?.text ?? "";
    if (/Next action: edit_todos complete/.test(words))
      return { calls: [["edit_todos", { action: "complete", indices: [0] }]] };
    if (askedFor(request) === undefined) return { calls: [writeList(1)] };
    return {
      calls: [
        ["edit_todos", { action: "start", indices: [0] }],
        ["bash", { command }],
      ],
    };
  };

test(
  "the first signal lets the tool that runs finish; a second one ends it too; both can be resumed",
  LONG,
  async () => {
    await using place = aPlace();
    const args = (url: string) => [...model(url).slice(0, -1), "yolo"];
    const chatty = "until test -e open; do sleep 0.05; done; for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done";
    const provider = await startScriptedModel(runsCommand(`${chatty}; touch finished`));
    const patient = place.start("run", "x", ...args(provider.url));
    await patient.printed(/^bash until test/m);
    patient.child.kill("SIGTERM");
    await patient.printed(/interrupted by you \(signal\)/);
    writeFileSync(join(place.project, "open"), "");
    expect((await patient.ended).code).toBe(143);
    expect(existsSync(join(place.project, "finished"))).toBe(true);
    provider.play(runsCommand("touch begun; until test -e never; do sleep 0.05; done"));
    const impatient = place.start("run", "y", ...args(provider.url));
    await impatient.printed(/^bash touch begun/m);
    impatient.child.kill("SIGINT");
    await impatient.printed(/interrupted by you \(signal\)/);
    impatient.child.kill("SIGINT");
    const { code, out } = await impatient.ended;
    const run = /Continue with: tildone run --resume (\S+)/.exec(out)?.[1] ?? "";
    expect(code).toBe(130);
    const resumed = await place.tildone("run", "--resume", run, ...args(provider.url));
    await provider.close();
    expect({ code: resumed.code, err: resumed.err }).toEqual({ code: 0, err: "" });
  },
);

test("kill -9 in the middle of the work, then resume: the same list, nothing done twice", LONG, async () => {
  await using place = aPlace();
  const gate = Promise.withResolvers<void>();
  const provider = await startScriptedModel((request, count) => ({
    ...stopsAfterEachItem(3)(request),
    ...(count === 4 && { after: gate.promise }),
  }));
  const run = place.start("run", "x", ...model(provider.url));
  await provider.received(4);
  run.child.kill("SIGKILL");
  await run.ended;
  gate.resolve();
  const resumed = await place.tildone("run", "--resume", "--json", ...model(provider.url));
  await provider.close();
  const result = JSON.parse(resumed.out.trimEnd().split("\n").at(-1)!);
  expect({ code: resumed.code, reason: result.reason }).toEqual({ code: 0, reason: "done_unproven" });
  expect(result.todos.map(({ text, status }: { text: string; status: string }) => `${text} ${status}`)).toEqual([
    "item 0 completed",
    "item 1 completed",
    "item 2 completed",
  ]);
});

test("an agent has a model, a length of its answers and an effort of its own in the configuration", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel(stopsAfterEachItem(1));
  const models = [{ id: "m", reasoning: true, contextWindow: 100_000, maxTokens: 4000 }];
  const scripted = { api: "openai-completions", apiKey: "x", baseUrl: `${provider.url}/v1`, models };
  put(join(place.pi, "models.json"), JSON.stringify({ providers: { scripted } }));
  put(
    join(place.env.TILDONE_HOME, "config.yaml"),
    "agents: { coder: { model: scripted/m, maxTokens: 1234, reasoningEffort: high } }\n",
  );
  const { code, err } = await place.tildone("run", "x", "--approval", "auto-edit");
  await provider.close();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [request] = provider.requests;
  expect(request?.body).toMatchObject({ model: "m", max_completion_tokens: 1234, reasoning_effort: "high" });
});

function put(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

test("a list that cannot be is refused before anything begins, with what is wrong about it", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel([{ text: "never asked" }]);
  const { code, out, err } = await place.tildone(
    "run",
    "x",
    "--todo",
    "the same",
    "--todo",
    "the same",
    ...model(provider.url),
  );
  await provider.close();
  expect({ code, err, asked: provider.requests.length }).toEqual({ code: 2, err: "", asked: 0 });
  expect(out).toMatch(/Nothing was started: .*the same/);
});

test("a run that is over is not begun again by --resume: it says how it ended", LONG, async () => {
  await using place = aPlace();
  const provider = await startScriptedModel(stopsAfterEachItem(1));
  const first = await place.tildone("run", "x", "--json", ...model(provider.url));
  const asked = provider.requests.length;
  const again = await place.tildone("run", "--resume", "--json", ...model(provider.url));
  await provider.close();
  expect({ first: first.code, again: again.code, err: again.err }).toEqual({ first: 0, again: 0, err: "" });
  expect(provider.requests.length).toBe(asked);
  expect(JSON.parse(again.out.trimEnd().split("\n").at(-1)!)).toMatchObject({
    type: "result",
    reason: "done_unproven",
  });
});

test("a plan file becomes the list, ticked items are done before, and a report is written", LONG, async () => {
  await using place = aPlace();
  writeFileSync(join(place.project, "plan.md"), "# Two files\n\n- [x] item 9\n- [ ] item 0\n");
  const provider = await startScriptedModel((request) => {
    if (request.messages.at(-1)?.role === "tool") return { text: "done" };
    return { calls: workOn(1) };
  });
  const ran = await place.tildone("run", "--file", "plan.md", "--report", "out.html", ...model(provider.url));
  await provider.close();
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  const report = readFileSync(join(place.project, "out.html"), "utf8");
  expect(report).toContain("item 9");
  expect(report).not.toContain("<script src");
  const missing = await place.tildone("run", "--file", "none.md", ...model(provider.url));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("none.md cannot be read") });
  writeFileSync(join(place.project, "long.md"), Array.from({ length: 101 }, (_, at) => `- [ ] item ${at}`).join("\n"));
  const long = await place.tildone("run", "--file", "long.md", ...model(provider.url));
  expect(long).toMatchObject({ code: 2, out: "", err: expect.stringContaining("long.md: it has 101 open checkboxes") });
});

test("a workflow that is not there is named before anything begins", LONG, async () => {
  await using place = aPlace();
  const { code, out, err } = await place.tildone("run", "x", "--workflow", "hotfix", ...model("http://127.0.0.1:1"));
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining('Unknown workflow: "hotfix"') });
});
