import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Call, type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { writeList } from "../pi/models.ts";
import { openTildone, runs } from "./terminal.ts";
import { aPlace, type Place } from "./tildone.ts";

const LONG = { timeout: 120_000 };
const edit = (action: string): Call => ["edit_todos", { action, indices: [0] }];
const does =
  (...work: readonly Call[]) =>
  (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [writeList(1), edit("start"), ...work, edit("complete")] } : { text: "That is all." };
const bash = (command: string): Call => ["bash", { command }];

async function run(place: Place, confine: string, ...work: readonly Call[]) {
  const provider = await startScriptedModel(does(...work));
  const started = place.start(
    "run",
    "x",
    "--base-url",
    `${provider.url}/v1`,
    "--model",
    "m",
    "--approval",
    "yolo",
    "--confine",
    confine,
  );
  void started.ended.then(() => provider.close());
  return started;
}

test("confine: required keeps the agent's shell in the project", LONG, async () => {
  await using place = aPlace();
  writeFileSync(join(place.env.HOME, "secret"), "s3cret");
  const { ended } = await run(
    place,
    "required",
    bash(
      `cat ~/secret ${place.env.HOME}/secret > stolen; touch ${place.env.HOME}/planted; ls ${place.env.TILDONE_HOME} > state; echo done > made`,
    ),
  );
  expect((await ended).code).toBe(0);
  const read = (name: string) => readFileSync(join(place.project, name), "utf8");
  expect([read("stolen"), read("state"), read("made")]).toEqual(["", "", "done\n"]);
  expect(existsSync(join(place.env.HOME, "planted"))).toBe(false);
});

test("nothing of a confined command survives kill -9 of tildone", LONG, async () => {
  await using place = aPlace();
  const beat = join(place.project, "beat");
  const { child } = await run(
    place,
    "required",
    bash("(setsid sh -c 'while :; do date +%N > beat; sleep 0.1; done' &) ; sleep 600"),
  );
  await expect.poll(() => existsSync(beat)).toBe(true);
  child.kill("SIGKILL");
  const named = () => spawnSync("pgrep", ["-f", place.project], { encoding: "utf8" }).stdout.trim();
  await expect.poll(named).toBe("");
});

test.each([
  ["required", 2, "Nothing was started: `confine` is `required`, and this container hides parts of /proc"],
  ["auto", 0, "The agent's commands are not confined: this container hides parts of /proc"],
])("in a container that masks /proc, %s exits %s and says why", LONG, async (confine, code, says) => {
  await using place = aPlace();
  const provider = await startScriptedModel(does(bash("echo done > made")));
  const words = [
    "run",
    "x",
    "--base-url",
    `${provider.url}/v1`,
    "--model",
    "m",
    "--approval",
    "yolo",
    "--confine",
    confine,
  ];
  const around = ["--unshare-user", "--dev-bind", "/", "/", "--tmpfs", "/proc/fs", "--"];
  const { ended } = place.startWithin(["bwrap", ...around], ...words);
  const { code: exit, out, err } = await ended;
  await provider.close();
  expect([exit, out + err]).toEqual([code, expect.stringContaining(says)]);
  expect(existsSync(join(place.project, "made"))).toBe(confine === "auto");
  expect((out + err).split("hides parts of /proc")).toHaveLength(2);
});

test("the terminal interface confines the agent's shell, too", LONG, async () => {
  const env = { TILDONE_CONFINE: "required", TILDONE_APPROVAL: "yolo" };
  await using open = await openTildone({ script: runs("cat /proc/1/comm > first"), words: "go", env });
  await expect.poll(() => existsSync(join(open.box.cwd, "first"))).toBe(true);
  await expect.poll(() => readFileSync(join(open.box.cwd, "first"), "utf8")).toBe("bwrap\n");
});

test("the terminal interface starts nothing where it must confine and cannot", LONG, async () => {
  const env = { TILDONE_CONFINE: "required" };
  await using place = aPlace(env);
  const words = [process.execPath, "bin/tildone.js", "chat"].map((word) => `'${word}'`).join(" ");
  const { stdout, status } = spawnSync("script", ["-qec", words, "/dev/null"], {
    env: { ...place.env, HOME: process.cwd() },
    encoding: "utf8",
  });
  expect([status, stdout.replace(/\s+/g, " ")]).toEqual([
    2,
    expect.stringContaining(
      "Nothing was started: `confine` is `required`, and the folder you work in is your home folder",
    ),
  ]);
});
