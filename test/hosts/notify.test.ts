import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Call, Step } from "../../src/testing/index.ts";
import { aReceiver } from "../builders/loopback-receiver.ts";
import { programsOf } from "./binaries.ts";
import { REAL_HOSTS, type RealHost } from "./hosts.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { runSupervised, type Supervised } from "./run-supervised.ts";
import type { Sandbox } from "./sandbox.ts";
import { oks, type Scripted, stepwise, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// What you hear of while real agents work: each news once, whichever processes of a host notice it, and nothing else.

interface Story {
  /** What is told. */
  readonly news: string;
  readonly steps: readonly Step[];
  readonly settings?: string;
}

const DONE = (script: Scripted): Story => ({ news: "run.done", steps: stepwise(script, 1) });
const STOPPED = ({ list }: Scripted): Story => ({ news: "run.stopped", steps: [{ calls: [list(1, 0)] }, ...oks()] });
const QUESTION = ({ list }: Scripted): Story => ({
  news: "run.question",
  steps: [{ calls: [list(1, 0)] }, ...Array.from({ length: 6 }, () => ({ text: "Shall I use tabs or spaces?" }))],
});
const RELEASE = (write: (todos: readonly object[]) => Call): Story => ({
  news: "run.release",
  steps: [{ calls: [write([{ text: "deploy it", askFirst: true }])] }, ...oks()],
});
const BUDGET = ({ list, shell }: Scripted): Story => ({
  news: "run.budget",
  settings: "budget:\n  continuations: 1\n",
  steps: [
    { calls: [list(3, 0)] },
    ...Array.from({ length: 12 }, (_, at): Step[] => [
      { calls: [shell(`echo ${at} >> work.txt`)] },
      { text: `${at}` },
    ]).flat(),
  ],
});

/** Plays each story in a session of its own, and waits until everything that is to be sent was sent. */
async function heardOf(
  stories: readonly Story[],
  stage: { readonly sandbox: Sandbox; readonly model: { play(script: ReturnType<typeof turns>): void } },
  start: () => Promise<{ readonly out: string; readonly err: string }>,
): Promise<void> {
  await using server = await aReceiver();
  const heard = () => server.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const told: string[] = [];
  for (const story of stories) {
    stage.sandbox.write(
      "home/.config/tildone/config.yaml",
      `notify:\n  webhook: { url: ${server.url}/hook }\n${story.settings ?? ""}`,
    );
    stage.model.play(turns(story.steps));
    const { out, err } = await start();
    told.push(story.news);
    await expect.poll(heard, { timeout: 60_000, message: `${story.news}: ${out}${err}` }).toEqual(told);
    const open = async () =>
      (await stage.sandbox.runs()).flatMap(({ ledger }) =>
        (ledger.notifications?.recent ?? []).flatMap(({ deliveries }) =>
          Object.values(deliveries).filter(({ status }) => status !== "delivered"),
        ),
      );
    await expect.poll(open, { timeout: 60_000 }).toEqual([]);
  }
  expect(heard()).toEqual(told);
  const counts = (await stage.sandbox.runs()).map(({ ledger }) => ledger.notifications?.count ?? 0);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(told.length);
}

describe.each(REAL_HOSTS.map((host) => [host.name, host] as const))("%s", (name, host: RealHost) => {
  const binary = inject("binaries")[name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const stage = useStage(`notify-${name}`);
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", name);
  });
  const write = (todos: readonly object[]) => host.ours("write_todos", { mode: "replace", todos });
  const script: Scripted = {
    shell: host.shell,
    list: (count, done) =>
      done === 0
        ? write(texts(count).map((text) => ({ text })))
        : host.ours("edit_todos", { action: "complete", indices: [done - 1] }),
  };

  test("with our hooks, on its own", async () => {
    const stories = [DONE(script), STOPPED(script), QUESTION(script), RELEASE(write)];
    await heardOf(stories, stage, () => host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" }));
  });

  test("under tildone run --host", async () => {
    const supervised: Supervised = { name, folder: programsOf(name), unasked: host.unasked };
    const env = host.env(stage.sandbox, stage.model.url);
    await heardOf([DONE(script), BUDGET(script), RELEASE(write)], stage, () =>
      runSupervised(stage.sandbox, supervised, env),
    );
  });
});

describe("opencode", () => {
  const binary = inject("binaries").opencode;
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const stage = useStage("notify-opencode");
  const script: Scripted = { shell: bash, list: todowrite };

  const setUp = () => setUpOpenCode(stage.sandbox, binary.path, { url: stage.model.url });

  test("with our plugin, on its own", () => {
    const { run } = setUp();
    return heardOf([DONE(script), STOPPED(script)], stage, () => run("do it"));
  });

  test("under tildone run --host", () => {
    const supervised: Supervised = { name: "opencode", folder: programsOf("opencode"), unasked: [] };
    const { env } = setUp();
    return heardOf([DONE(script), BUDGET(script)], stage, () => runSupervised(stage.sandbox, supervised, env));
  });
});
