import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, inject, test } from "vitest";
import { fileAppears } from "./file-appears.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { mainRequests, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// A process that hangs on the log of all runs must not hang the hosts with it.
const stage = useStage("locked");
const binaries = inject("binaries");
const LOCKED_MS = 45_000;

test.each(REAL_HOSTS.map((host) => [host.name, host] as const))(
  "%s: a log that stays locked ends the wait in seconds, and says so",
  async (name, host) => {
    const binary = binaries[name];
    if (!("path" in binary)) return;
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", name);
    const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
    stage.model.play(turns([{ calls: [list] }, { calls: [host.shell("touch lock; sleep 3")] }, { text: "I stop." }]));
    let release = () => {};
    const locked = fileAppears(stage.sandbox.project, "lock").then(() => {
      const database = new DatabaseSync(join(stage.sandbox.home, ".local/state/tildone/tildone.db"));
      database.exec("BEGIN IMMEDIATE");
      const timer = setTimeout(() => release(), LOCKED_MS);
      release = () => {
        release = () => {};
        clearTimeout(timer);
        database.exec("ROLLBACK");
        database.close();
      };
      return performance.now();
    });
    const { code, out, err } = await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" });
    const waited = performance.now() - (await locked);
    release();
    expect(code, err).toBe(0);
    expect(waited).toBeLessThan(LOCKED_MS / 2);
    expect(mainRequests(stage.model)).toHaveLength(3);
    const failures = readFileSync(join(stage.sandbox.home, ".local/state/tildone/hook-failures.jsonl"), "utf8");
    expect(failures).toContain("kept the run log locked");
    if (host.printsNotices) expect(out + err).toContain("tildone could not decide here");
  },
);
