import { join } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { Call, ModelRequest, Step } from "../../src/testing/index.ts";
import { dialectOf, REAL_HOSTS, type RealHost } from "./hosts.ts";
import { isMain, mainRequests, textOf, texts } from "./script.ts";
import { useStage } from "./stage.ts";

// Models that never settle, in the real hosts with our hooks: a limit ends the turn where the host lets a hook end it.
const stage = useStage("brakes");

const RUNAWAYS: Readonly<Record<string, (host: RealHost, count: number) => Call>> = {
  "the same call": (host) => host.shell("echo same"),
  "new reads": (host, count) => host.shell(`echo ${count}`),
  "alternating calls": (host, count) => host.shell(`echo ${count % 2}`),
  "its own list": (host) => host.ours("list_todos", {}),
};
const FEW = "turn:\n  answersWithoutActivity: 6\n  answersWithoutChange: 10\n";

/** The list, and what comes after it while the host asks. A host whose turn no hook ends is let go in the end. */
function runaway(host: RealHost, name: string) {
  const list = host.ours("write_todos", { mode: "replace", todos: texts(1).map((text) => ({ text })) });
  let count = 0;
  return (request: ModelRequest): Step => {
    if (!isMain(request)) return { text: "<summary>what was said</summary>" };
    // On a busy machine Codex may ask before our server is there.
    if (!JSON.stringify(request.body).includes("Wrote 1")) return { calls: [list] };
    if (++count > MOST) return { text: "I give up." };
    return { calls: [RUNAWAYS[name]!(host, count)] };
  };
}
const MOST = 40;

describe.each(REAL_HOSTS)("$name", (host) => {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  const start = () => host.start(stage.sandbox, binary.path, stage.model.url, { prompt: "do it" });
  const newest = async () => (await stage.sandbox.runs())[0]!;
  const { ends } = dialectOf(host).capabilities.brake;
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  test.each([
    ["the same call", 10],
    ["alternating calls", 12],
    ["new reads", 14],
  ])("%s: stopped by no_progress within %i requests", async (name, requests) => {
    stage.sandbox.write("home/.config/tildone/config.yaml", FEW);
    stage.model.play(runaway(host, name));
    await start();
    const { ledger } = await newest();
    const isTheirs = host.endsSameCalls && name === "the same call";
    expect(ledger.decision).toMatchObject({ type: "stop", reason: isTheirs ? "host_limit" : "no_progress" });
    expect(ledger.interrupt).toBeUndefined();
    const asked = mainRequests(stage.model).length;
    if (ends) return expect(asked).toBeLessThanOrEqual(requests);
    // Only the agent ends its turn: every call is refused, and says so.
    const refused = textOf(mainRequests(stage.model).at(-1)!).split("call nothing more, say what is open").length - 1;
    expect(refused).toBeGreaterThanOrEqual(MOST - requests);
  });

  test("a plain hold ends the turn after the call that runs", async () => {
    const cli = join(import.meta.dirname, "../../bin/tildone.js");
    let heldAt = 0;
    stage.sandbox.write("project/hold.sh", `exec "${process.execPath}" "${cli}" hold > /dev/null\n`);
    const play = runaway(host, "new reads");
    stage.model.play((request) => {
      const step = play(request);
      if (heldAt > 0 || !JSON.stringify(step).includes("echo 3")) return step;
      heldAt = mainRequests(stage.model).length;
      return { calls: [host.shell("sh hold.sh")] };
    });
    await start();
    const { ledger } = await newest();
    expect(ledger.decision).toMatchObject({ type: "stop", reason: "held" });
    expect(ledger.interrupt).toBeUndefined();
    if (ends) expect(mainRequests(stage.model).length).toBeLessThanOrEqual(heldAt + 1);
  });

  test("spent minutes end the turn", async () => {
    stage.sandbox.write("home/.config/tildone/config.yaml", "budget:\n  minutes: 0.02\n");
    stage.model.play(runaway(host, "new reads"));
    await start();
    const { ledger } = await newest();
    expect(ledger.decision).toMatchObject({ type: "stop", reason: "budget_minutes" });
    expect(ledger.interrupt).toBeUndefined();
    if (ends) expect(mainRequests(stage.model).length).toBeLessThanOrEqual(MOST);
  });
});
