import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import type { BoundSession } from "../bound-session.ts";
import { registerCommand } from "./command.ts";
import { runCommand } from "./run-command.ts";

test.each([
  ["", ["now"]],
  ["n", ["now"]],
  ["now", null],
  ["later", null],
])("/hold %j offers %j: what stands there in full is sent by Enter", async (prefix, expected) => {
  type Registered = Parameters<ExtensionAPI["registerCommand"]>[1];
  const registered = Promise.withResolvers<Registered>();
  const pi = { registerCommand: (_name: string, command: Registered) => registered.resolve(command) };
  registerCommand(pi as unknown as ExtensionAPI, () => ({}) as BoundSession, runCommand("hold"));
  const { getArgumentCompletions } = await registered.promise;
  const items = await getArgumentCompletions?.(prefix);
  expect(items?.map(({ value }) => value) ?? null).toEqual(expected);
});
