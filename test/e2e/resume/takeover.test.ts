import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../../src/testing/index.ts";
import { nudges, stopsAfterEachItem } from "../pi/models.ts";
import { aCommandLine } from "./command-line.ts";

const LONG = { timeout: 120_000 };
const TAKEOVER = { TILDONE_TAKEOVER: "1" };
const named = { TILDONE_RUN_ID: "r7k2named" };
const start = ({ url }: ScriptedModel) => [
  ...["run", "make three files", "--base-url", `${url}/v1`, "--model", "scripted", "--approval", "yolo"],
];

test("a run whose process was killed continues without a word of yours", LONG, async () => {
  using line = aCommandLine();
  const model = await startScriptedModel(stopsAfterEachItem(3));
  const killed = await line.type(
    start(model),
    (text, stop) => {
      if (existsSync(join(line.project, "file-0.txt")) && /told it to continue/i.test(text)) stop("SIGKILL");
    },
    named,
  );
  expect(killed.code).toBe(-1);
  const ended = await line.type(["run", "--resume", "r7k2named", "--approval", "yolo"], undefined, TAKEOVER);
  expect(ended.code, ended.out + ended.err).toBe(0);
  const log = (await line.type(["log", "r7k2named", "--json"])).out;
  expect(log).not.toContain("human.resumed");
  expect(log).not.toContain("human.unheld");
  expect(existsSync(join(line.project, "file-2.txt"))).toBe(true);
  await model.close();
});

test("a hold survives a takeover, and your word ends it", LONG, async () => {
  using line = aCommandLine();
  const works = stopsAfterEachItem(3);
  const model = await startScriptedModel((request, count) => ({
    ...works(request),
    ...(count === 3 && { after: line.type(["hold", "r7k2named"]) }),
  }));
  await line.type(start(model), undefined, named);
  const before = nudges(model.requests).length;
  const again = await line.type(["run", "--resume", "r7k2named", "--approval", "yolo"], undefined, TAKEOVER);
  expect([again.code, again.out]).toEqual([5, expect.stringContaining("On hold")]);
  expect(nudges(model.requests).length).toBe(before);
  await line.type(["unhold", "r7k2named"]);
  const ended = await line.type(["run", "--resume", "r7k2named", "--approval", "yolo"], undefined, TAKEOVER);
  expect(ended.code, ended.out).toBe(0);
  await model.close();
});
