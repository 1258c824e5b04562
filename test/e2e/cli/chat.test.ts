import { expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../../src/testing/index.ts";
import { openShell } from "./shell-screen.ts";

const LONG = { timeout: 120_000 };

test("80 by 24: without a key one message names the ways to get a model, below a header of our own", LONG, async () => {
  using shell = openShell(["bash", "--norc", "--noprofile"]);
  await shell.shows(/\$/);
  shell.type("clear; tildone");
  shell.keys("Enter");
  const screen = (await shell.shows(/No model yet/)).replace(/\s+/g, " ");
  expect(screen).toMatch(/tildone \d+\.\d+\.\d+ works until the todo list is done and proven/);
  expect(screen).toContain("Esc stops · / commands");
  for (const way of ["ANTHROPIC_API_KEY", "/login", "--base-url"]) expect(screen).toContain(way);
});

test("80 by 24: a server of your own answers in the terminal", LONG, async () => {
  const model = await startScriptedModel(() => ({ text: "Hello from your own server." }));
  onTestFinished(() => model.close());
  using shell = openShell(["bash", "--norc", "--noprofile"]);
  await shell.shows(/\$/);
  shell.type(`clear; tildone chat --base-url ${model.url}/v1 --model tiny hello`);
  shell.keys("Enter");
  await shell.shows(/Hello from your own server\./);
});

test("a server without a model is refused with a sentence", LONG, async () => {
  using shell = openShell(["bash", "--norc", "--noprofile"]);
  await shell.shows(/\$/);
  shell.type("clear; tildone chat --base-url http://localhost:1/v1; echo code $?");
  shell.keys("Enter");
  const screen = await shell.shows(/code 2/);
  expect(screen).toContain("--base-url needs --model: the name that the server knows.");
});
