import { join } from "node:path";
import { expect, test } from "vitest";
import { loadedBy, ofFleet } from "./loaded-modules.ts";

const TILDONE = join(import.meta.dirname, "programs/tildone.ts");
const HOOK = join(import.meta.dirname, "../../src/hosts/hook.ts");
const away = { TILDONE_DATABASE_URL: "postgres://you@127.0.0.1:9/none" };
const stop = JSON.stringify({ session_id: "s", cwd: "/", transcript_path: "", last_assistant_message: "done" });

test.each([["status"], ["runs"], ["log"], ["approvals"], ["hold"]])(
  "without a database, tildone %s loads nothing of the fleet",
  (command) => {
    const { modules } = loadedBy([TILDONE, command]);
    expect(modules.length).toBeGreaterThan(10);
    expect(ofFleet(modules)).toEqual([]);
  },
  60_000,
);

test("a hook loads nothing of the fleet, also where there is a database", () => {
  const { modules } = loadedBy([HOOK, "claude-code", "stop"], away, stop);
  expect(modules.length).toBeGreaterThan(1);
  expect(ofFleet(modules)).toEqual([]);
}, 60_000);

test("with a database, tildone status loads what reads it, and no queue", () => {
  const seen = ofFleet(loadedBy([TILDONE, "status"], away).modules).join("\n");
  expect(seen).toMatch(/\/node_modules\/pg\//);
  expect(seen).not.toMatch(/@dbos-inc/);
}, 60_000);
