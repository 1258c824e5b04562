import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOOK_HOSTS } from "../../src/config/index.ts";
import { HOOK_PROFILES } from "../../src/hosts/index.ts";

// The shipped hook on a Node that is too old for it.
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-off-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(HOOK_HOSTS)("%s: a hook that cannot run tells you once, and lets the host go on", (host) => {
  const old = join(folder, "old.cjs");
  writeFileSync(old, `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.1.0" } });`);
  const { names } = HOOK_PROFILES[host].hook.dialect;
  const events = (["session-start", "prompt", "prompt", "stop"] as const).filter((event) => names[event]);
  const told = events.map((event) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["-r", old, resolve("bin/tildone-hook.js"), host, event],
      { input: '{"session_id":"s-1"}', encoding: "utf8", env: { ...process.env, TMPDIR: folder } },
    );
    expect([status, stderr]).toEqual([0, ""]);
    return stdout;
  });
  expect(told.filter((text) => text !== "")).toEqual([expect.stringContaining("tildone is off here")]);
});
