import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { nudges, stopsAfterEachItem, writeList } from "./models.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

/** Always does something new, never gets anywhere. */
const isBusy = (request: ModelRequest): Step => {
  const { length } = request.messages;
  if (request.messages.at(-1)?.role === "tool") return { text: "I stop here." };
  return length === 1 ? { calls: [writeList(1)] } : { calls: [["bash", { command: `echo ${length}` }]] };
};
const configure = (box: Sandbox, text: string): void => {
  mkdirSync(join(box.root, "tildone"), { recursive: true });
  writeFileSync(join(box.root, "tildone", "config.yaml"), text);
};

test("flags come before the file, the file before the defaults", async () => {
  await using box = await openSandbox({ script: isBusy });
  configure(box, "continuation:\n  maxContinuations: 4\n");
  await box.run("-p", "do it");
  expect(nudges(box.model.requests).length).toBe(4);
  box.model.play(isBusy);
  const before = nudges(box.model.requests).length;
  await box.run("--til-done-max", "2", "-p", "do it");
  expect(nudges(box.model.requests).length - before).toBe(2);
});

test("a check that the user asks for by flag proves the run, and only then it is done", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2) });
  const { code, err } = await box.run("--til-done-check", "test -f file-1.txt", "-p", "do it");
  expect([code, err]).toEqual([0, "tildone: Done and proven: every required check passed. [2/2 done · 2 proven]\n"]);
});

test("switched off it keeps the list and says so", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2) });
  const { err } = await box.run("--til-done-off", "-p", "do it");
  expect(err).toContain("Continuing is switched off");
  expect(nudges(box.model.requests)).toEqual([]);
});

test("a wrong setting is named with its place, and pi works without us", async () => {
  await using box = await openSandbox({ script: stopsAfterEachItem(2) });
  configure(box, "continuation:\n  maxContinuations: many\n");
  const { code, out, err } = await box.run("-p", "do it");
  expect([code, out]).toEqual([0, "That is done, I stop here.\n"]);
  expect(err).toContain("tildone is off, because its configuration is wrong:");
  expect(err).toContain("continuation.maxContinuations");
  expect(JSON.stringify(box.model.requests[1]?.messages.at(-1))).toContain("continuation.maxContinuations");
});
