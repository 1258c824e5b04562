import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { breakHook } from "./break-hook.ts";
import { REAL_HOSTS } from "./hosts.ts";
import { mainRequests, oks, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// `tildone say` on the real hosts: each message stands in the conversation once, whatever becomes of a hook.
const stage = useStage("messages");

/** What may become of a hook that has a message to say. */
const FAULTS = {
  "finds its pipe closed": "hook | true",
  "cannot print": "hook > /dev/null",
  "crashes before it answers": "cat > /dev/null; exit 1",
  "is killed": "hook & sleep 0; kill -9 $!; kill -9 $$",
};

/** Kills the hook between its answer and its note that the answer went out. */
const DIES_AFTER_PRINTING = `
const fs = require("node:fs");
const { writeSync } = fs;
fs.writeSync = (to, ...rest) => {
  const written = writeSync(to, ...rest);
  if (to === 1) process.kill(process.pid, "SIGKILL");
  return written;
};
require("node:module").syncBuiltinESMExports();
`;
/** What the host makes of such an answer is its own affair: some take it whatever the exit code is. */
const EXITS = [0, 1];

describe.each(REAL_HOSTS)("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const start = async (prompt: string, resume?: string) =>
    host.sessionOf(
      (await host.start(stage.sandbox, binary.path, stage.model.url, { prompt, ...(resume && { resume }) })).out,
    )!;
  const write = host.ours("write_todos", { mode: "replace", todos: texts(2).map((text) => ({ text })) });
  const say = (...messages: string[]) => {
    for (const message of messages) stage.sandbox.tildone("say", message);
  };
  /** You in another terminal; here it is the agent's shell that types, from a file that the agent does not read. */
  const typed = (words: string) => {
    const cli = join(import.meta.dirname, "../../bin/tildone.js");
    stage.sandbox.write("project/typed.sh", `exec "${process.execPath}" "${cli}" ${words} > /dev/null\n`);
    return host.shell("sh typed.sh");
  };

  /** The whole conversation stands in the last request, or as much as the host keeps of it. */
  const expectOnce = async (...messages: string[]) => {
    const conversations = mainRequests(stage.model).map(({ body }) => JSON.stringify(body));
    const looked = host.forgetsStops ? conversations : conversations.slice(-1);
    const said = (message: string): number => Math.max(...looked.map((text) => text.split(message).length - 1));
    expect(messages.map(said)).toEqual(messages.map(() => 1));
    const [run] = await stage.sandbox.runs();
    expect(run!.ledger.words).toEqual([]);
    const log = stage.sandbox.tildone("log", run!.id, "--json");
    const delivered = [...log.matchAll(/"words\.delivered","ids":\[([^\]]*)\]/g)].flatMap(([, ids]) => ids!.split(","));
    expect(delivered).toHaveLength(messages.length);
    expect(new Set(delivered).size).toBe(messages.length);
  };

  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  /** Once it dies after it printed; afterwards it is as before, or does not run at all. */
  const diesAfterPrinting = (name: string, exit: number, then: "as before" | "not at all") => {
    const file = join(stage.sandbox.home, "dies.cjs");
    writeFileSync(file, DIES_AFTER_PRINTING);
    const dies = `NODE_OPTIONS="--require ${file}"; export NODE_OPTIONS; hook; exit ${exit}`;
    const isFirst = `mkdir "${join(stage.sandbox.home, "died")}" 2> /dev/null`;
    const how = then === "as before" ? "once" : "always";
    const fault = then === "as before" ? dies : `if ${isFirst}; then ${dies}; fi; cat > /dev/null`;
    breakHook(host, stage.sandbox, { name, fault, how, seconds: 20 });
  };

  test("to a run that was stopped: with the next prompt", async () => {
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("hold")] }, ...oks()]));
    const session = await start("do it");
    stage.sandbox.tildone("unhold");
    say("Mind the first gap.", "Mind the second gap.");
    stage.model.play(turns(oks()));
    await start("go on", session);
    expect(JSON.stringify(mainRequests(stage.model)[0]!.body)).not.toContain("Mind the first gap.");
    await expectOnce("Mind the first gap.", "Mind the second gap.");
  });

  test("while the agent works: when it stops", async () => {
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("say 'Mind the gap.'")] }, ...oks()]));
    await start("do it");
    await expectOnce("Mind the gap.");
  });

  test.each(Object.entries(FAULTS))("a stop hook that %s leaves it queued for the next prompt", async (_how, fault) => {
    breakHook(host, stage.sandbox, { name: host.stopHook, fault, how: "once", seconds: 20 });
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("say 'Mind the gap.'")] }, ...oks()]));
    const session = await start("do it");
    expect((await stage.sandbox.runs())[0]!.ledger.words).toHaveLength(1);
    stage.model.play(turns(oks()));
    await start("go on", session);
    await expectOnce("Mind the gap.");
  });

  test.each(Object.entries(FAULTS))("a prompt hook that %s leaves it queued for the stop", async (_how, fault) => {
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("hold")] }, ...oks()]));
    const session = await start("do it");
    stage.sandbox.tildone("unhold");
    breakHook(host, stage.sandbox, { name: host.promptHook, fault, how: "once", seconds: 20 });
    say("Mind the gap.");
    stage.model.play(turns(oks()));
    await start("go on", session);
    await expectOnce("Mind the gap.");
  });

  test.each(EXITS)("a prompt hook that dies after it printed, and ends with %d, says it once", async (exit) => {
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("hold")] }, ...oks()]));
    const session = await start("do it");
    stage.sandbox.tildone("unhold");
    diesAfterPrinting(host.promptHook, exit, "as before");
    say("Mind the gap.");
    stage.model.play(turns(oks()));
    await start("go on", session);
    await expectOnce("Mind the gap.");
  });

  test.each(EXITS)("a stop hook that dies after it printed, and ends with %d, says it once", async (exit) => {
    diesAfterPrinting(host.stopHook, exit, "not at all");
    stage.model.play(turns([{ calls: [write] }, { calls: [typed("say 'Mind the gap.'")] }, ...oks()]));
    const session = await start("do it");
    stage.model.play(turns(oks()));
    await start("go on", session);
    await expectOnce("Mind the gap.");
  });
});
