import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type Call, type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { writeList } from "../pi/models.ts";
import { aPlace, type Place } from "./tildone.ts";

const LONG = { timeout: 60_000 };
const EXCEPTIONS =
  ".git/, .tildone/, .pi/, .agents/, .claude/, .codex/, .gemini/, .opencode/, .mcp.json, opencode.json, .ssh/, .bashrc, .zshrc, .profile, .bash_profile";

const edit = (action: string): Call => ["edit_todos", { action, indices: [0] }];

/** Starts its one todo, makes these calls, completes it and stops. */
const does =
  (...work: readonly Call[]) =>
  (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls: [writeList(1), edit("start"), ...work, edit("complete")] } : { text: "That is all." };

async function yolo(place: Place, ...work: readonly Call[]) {
  const provider = await startScriptedModel(does(...work));
  const run = place.start("run", "x", "--base-url", `${provider.url}/v1`, "--model", "m", "--approval", "yolo");
  void run.ended.then(() => provider.close());
  return run;
}

test("yolo says what still asks, and edits package.json, .env and CI files without asking", LONG, async () => {
  await using place = aPlace();
  const { ended } = await yolo(
    place,
    ["write", { path: "package.json", content: "{}" }],
    ["bash", { command: "echo A=1 >> .env && mkdir -p .github/workflows && echo x > .github/workflows/ci.yml" }],
  );
  const { code, out } = await ended;
  expect(yoloLine(out)).toBe(
    `tildone: yolo: every call runs without asking. Only writes to ${EXCEPTIONS} still ask (setting approval.protectInYolo). What a rule denies stays denied.`,
  );
  expect([code, out.includes("needs your approval")]).toEqual([0, false]);
  expect(
    ["package.json", ".env", ".github/workflows/ci.yml"].filter((f) => existsSync(join(place.project, f))),
  ).toEqual(["package.json", ".env", ".github/workflows/ci.yml"]);
});

const HOOK: Call = ["write", { path: ".git/hooks/pre-commit", content: "echo hi" }];

test("an exception asks although it is yolo", LONG, async () => {
  await using place = aPlace();
  mkdirSync(join(place.project, ".git/hooks"), { recursive: true });
  const { printed, ended } = await yolo(place, HOOK);
  const [, command = ""] = await printed(/tildone (approve .*?) {3}/);
  expect(existsSync(join(place.project, ".git/hooks/pre-commit"))).toBe(false);
  await place.tildone(...command.split(" "));
  expect((await ended).code).toBe(0);
  expect(readFileSync(join(place.project, ".git/hooks/pre-commit"), "utf8")).toBe("echo hi");
});

test("protectInYolo: [] leaves nothing that asks, and says so", LONG, async () => {
  await using place = aPlace();
  const config = join(place.env.TILDONE_HOME, "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "approval:\n  protectInYolo: []\n");
  mkdirSync(join(place.project, ".git/hooks"), { recursive: true });
  const { code, out } = await (await yolo(place, HOOK)).ended;
  expect([code, yoloLine(out)]).toEqual([
    0,
    "tildone: yolo: every call runs without asking. What a rule denies stays denied.",
  ]);
});

/** Said below the lines that name model, folder, checks, budget and approval. */
const yoloLine = (out: string): string | undefined => out.split("\n").find((line) => line.startsWith("tildone: yolo"));
