import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import {
  type ModelRequest,
  type Script,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from "../../src/testing/index.ts";
import { type Asked, bytesOf, HOSTS, type RealHost } from "./hosts.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

// Real hosts, the shipped hook and server, and a scripted model on loopback.
const binaries = inject("binaries");

describe.each(HOSTS.map((host) => [host.name, host] as const))("%s", (name, host) => {
  const binary = binaries[name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  let sandbox: Sandbox;
  let model: ScriptedModel;

  beforeEach(async () => {
    sandbox = createSandbox(name);
    model = await startScriptedModel([{ text: "nothing to say" }]);
    host.configure(sandbox, model.url);
    sandbox.tildone("install", name);
  });
  afterEach(async () => {
    await model.close();
    sandbox.remove();
  });

  const start = (asked: Asked) => host.start(sandbox, binary.path, model.url, asked);
  const decision = async () => (await sandbox.runs())[0]?.ledger.decision;
  const write = (count: number) =>
    host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) });

  test.each([3, 20])("a model that stops after every item finishes a list of %i", async (count) => {
    const bytes = bytesOf(host, sandbox);
    model.play(turns(stepwise(host, write(count), count)));
    const { code, err } = await start({ prompt: "do it all" });
    expect(code, err).toBe(0);
    const [run] = await sandbox.runs();
    expect(run!.plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
    expect(run!.ledger.decision).toMatchObject({ type: "stop", reason: "done_unproven" });
    expect(run!.ledger.spent.continuations).toBe(count);
    expect(run!.origin.cwd).toBe(sandbox.project);
    expect(bytesOf(host, sandbox)).toEqual(bytes);
  });

  test("a model that only says ok is let go after three idle turns", async () => {
    model.play(turns([{ calls: [write(1)] }, ...oks()]));
    const { code } = await start({ prompt: "do it" });
    expect(code).toBe(0);
    expect(await decision()).toMatchObject({ type: "stop", reason: "no_progress" });
    expect(mainRequests(model)).toBe(5); // the list, ok, and three nudged turns
  });

  test("install, run and uninstall leave the configuration byte for byte as it was", async () => {
    sandbox.tildone("uninstall", name);
    const before = bytesOf(host, sandbox);
    sandbox.tildone("install", name);
    model.play(turns([{ text: "hello" }]));
    expect((await start({ prompt: "hello" })).code).toBe(0);
    sandbox.tildone("uninstall", name);
    expect(bytesOf(host, sandbox)).toEqual(before);
  });
});

const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `item number ${at}`);
const oks = (): Step[] => Array.from({ length: 12 }, (_, at) => ({ text: `ok ${at}` }));

/** The list, then after every nudge one piece of work, one item completed, and a stop. */
function stepwise(host: RealHost, first: readonly [string, object], count: number): readonly Step[] {
  const items = texts(count).flatMap((_, at): Step[] => [
    { calls: [host.shell(`echo ${at} >> work.txt`)] },
    { calls: [host.ours("edit_todos", { action: "complete", indices: [at] })] },
    { text: `Item ${at} is done, I stop here.` },
  ]);
  return [{ calls: [first] }, { text: "The list is written." }, ...items, { text: "Everything is done." }];
}

/** Requests that hosts make on the side, such as for a title, bring no tools and use up no step. */
function turns(steps: readonly Step[]): Script {
  let at = 0;
  return (request) => (isMain(request) ? (steps[at++] ?? { text: "The script is over." }) : { text: "aside" });
}
const isMain = ({ tools }: ModelRequest): boolean => tools.length > 0;
const mainRequests = (model: ScriptedModel): number => model.requests.filter(isMain).length;
