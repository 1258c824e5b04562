import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dialectOf } from "../../test/builders/hook-hosts.ts";
import { openStore } from "../store/index.ts";
import { answerHappening } from "./answer-happening.ts";

const SESSION = "3f6b0c1e";

let home: string;
let whenLoaded: readonly string[] | undefined;

vi.mock("./in-run.ts", () => {
  whenLoaded = process.getActiveResourcesInfo();
  return { inRun: async () => undefined };
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-look-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("a stop starts git before it loads what it decides with", async () => {
  const dialect = dialectOf("claude-code");
  const cwd = join(home, "work");
  mkdirSync(cwd);
  spawnSync("git", ["init", "-q", cwd]);
  const store = await openStore({ path: join(home, "tildone.db") });
  const origin = { host: dialect.host, session: SESSION, cwd };
  const card = { ...origin, run: "r", live: true, began: 0, updated: 0, summary: undefined };
  store.log.transact("r", 0, () => ({ append: [], value: 0, card, bind: origin }));
  store.close();
  const env = { TILDONE_HOME: home, PATH: process.env.PATH };

  expect(process.getActiveResourcesInfo()).not.toContain("ProcessWrap");
  await answerHappening(
    { type: "stopped", text: "done" },
    { dialect, event: "stop", session: SESSION, payload: {}, env, home },
  );

  expect(whenLoaded).toContain("ProcessWrap");
});
