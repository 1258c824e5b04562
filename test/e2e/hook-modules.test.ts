import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { NewEvent } from "../../src/core/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { history } from "../../src/testing/index.ts";
import { aPlace, type Place } from "./agent/tildone.ts";

const [HOST, SESSION] = ["claude-code", "s1"];
/** What a hook could do without: each takes longer to load than most hooks take to answer. */
const HEAVY = ["tty", "net", "stream", "crypto", "readline", "perf_hooks", "child_process", "http", "worker_threads"];

/** The modules of Node that are loaded when the hook has answered. */
function loadedBy(place: Place, event: string, fields: object, session = SESSION): readonly string[] {
  const [list, file] = [join(place.project, "../list.cjs"), join(place.project, "../loaded.json")];
  writeFileSync(
    list,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(file)},
    JSON.stringify(process.moduleLoadList)));`,
  );
  const input = JSON.stringify({ session_id: session, cwd: place.project, transcript_path: "", ...fields });
  const argv = ["-r", list, resolve("bin/tildone-hook.js"), HOST, event];
  const { status, stderr } = spawnSync(process.execPath, argv, { input, encoding: "utf8", env: place.env });
  expect([status, stderr]).toEqual([0, ""]);
  const loaded = JSON.parse(readFileSync(file, "utf8")) as readonly string[];
  return HEAVY.filter((name) => loaded.includes(`NativeModule ${name}`));
}

async function aRun(place: Place): Promise<void> {
  const origin = { host: HOST, session: SESSION, cwd: place.project };
  const append = history()
    .writes("a")
    .says()
    .envelopes.map(({ seq: _, ...envelope }) =>
      envelope.event.type === "run.began" ? { ...envelope, event: { ...envelope.event, origin } } : envelope,
    ) as readonly NewEvent[];
  const store = await openStore({ path: place.database });
  const card = { run: "run-1", ...origin, live: true, began: 1, updated: 1, summary: {} };
  store.log.transact("run-1", 0, () => ({ append, value: 0, card, bind: origin }));
  store.close();
}

test("a hook loads no sockets, streams, crypto or clocks that it does not need", async () => {
  await using place = aPlace();
  await aRun(place);
  const call = { tool_name: "Read", tool_input: { file_path: "a" } };
  expect(loadedBy(place, "pre-tool", call), "before a call").toEqual([]);
  expect(loadedBy(place, "stop", { last_assistant_message: "done" }, "another"), "without a list").toEqual([]);
  const worked = loadedBy(place, "post-tool", { tool_calls: [{ ...call, tool_response: "" }] });
  expect(worked, "after a call, which is written down and sealed").not.toContain("crypto");
  const stopped = loadedBy(place, "stop", { last_assistant_message: "done" });
  expect(stopped, "a stop looks at the files with git, and that is all").toEqual(["net", "stream", "child_process"]);
});

test.each([
  "hold",
  "unhold",
  "status",
  "workflow code fix it",
  "cancel-workflow",
  "todo",
  "extend 10 turns",
  "on",
  "off",
])("the bundled hook has all that `tildone %s` needs, with a run and without one", async (words) => {
  await using place = aPlace();
  for (const session of ["another", SESSION]) {
    if (session === SESSION) await aRun(place);
    const fields = { hook_event_name: "UserPromptSubmit", prompt: `tildone ${words}` };
    const input = JSON.stringify({ session_id: session, cwd: place.project, transcript_path: "", ...fields });
    const argv = [resolve("bin/tildone-hook.js"), HOST, "prompt"];
    const { stdout } = spawnSync(process.execPath, argv, { input, encoding: "utf8", env: place.env });
    expect(stdout).not.toContain("could not decide");
  }
});
