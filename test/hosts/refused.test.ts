import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { REAL_HOSTS, type RealHost } from "./hosts.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { mainRequests, turns } from "./script.ts";
import { useStage } from "./stage.ts";

// A call that the host refuses did nothing: an agent that only makes such calls is given up like one that only talks.
const stage = useStage("refused");
const binaries = inject("binaries");
const newest = async () => (await stage.sandbox.runs())[0]!;

/** After every reminder another command, none of which may run. */
const tries = (shell: RealHost["shell"]): Step[] =>
  Array.from({ length: 30 }, (_, at): Step[] => [
    { calls: [shell(`touch file-${at}`)] },
    { text: `I tried ${at}.` },
  ]).flat();

const RULES = REAL_HOSTS.flatMap((host) =>
  Object.entries(host.forbidding).map(([what, forbid]) => [host.name, what, host, forbid] as const),
);

test.each(RULES)("%s: calls that %s refuses are no activity", async (name, _what, host, forbid) => {
  const binary = binaries[name];
  if (!("path" in binary)) return;
  host.configure(stage.sandbox, stage.model.url);
  forbid(stage.sandbox);
  stage.sandbox.tildone("install", name);
  const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
  stage.model.play(turns([{ calls: [list] }, { text: "written" }, ...tries(host.shell)]));
  const { out, err } = await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" });
  await expectGivenUp(out + err);
});

test.skipIf(!("path" in binaries.opencode))("opencode: calls that a rule refuses are no activity", async () => {
  const binary = "path" in binaries.opencode ? binaries.opencode.path : "";
  stage.model.play(turns([{ calls: [todowrite(1, 0)] }, { text: "written" }, ...tries(bash)]));
  const config = { permission: { bash: { "touch *": "deny" } } };
  await setUpOpenCode(stage.sandbox, binary, { url: stage.model.url, config }).run("do it");
  await expectGivenUp("");
});

async function expectGivenUp(said: string): Promise<void> {
  const log = said + stage.sandbox.tildone("log", (await newest()).id);
  expect((await newest()).ledger.decision, log).toMatchObject({ type: "stop", reason: "no_progress" });
  expect(mainRequests(stage.model), log).toHaveLength(8); // the list, its end, and three turns of two
  expect(existsSync(join(stage.sandbox.project, "file-0"))).toBe(false);
}
