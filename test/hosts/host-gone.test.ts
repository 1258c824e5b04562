import { describe, expect, inject, test } from "vitest";
import type { Step } from "../../src/testing/index.ts";
import { type Asked, ownItemOf, REAL_HOSTS } from "./hosts.ts";
import type { Sandbox } from "./sandbox.ts";
import { hanging, isMain, NEVER } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

/** A host that ends in the middle of a turn: nothing of ours says that the agent is at work, from the first moment on. */
const binaries = inject("binaries");
const TOO_LONG: Step = { status: 400, message: "prompt is too long: it exceeds the maximum context length" };
const HOSTS = REAL_HOSTS.filter(({ name }) => "path" in binaries[name]);

type Own = ReturnType<typeof ownItemOf>;

describe.each(HOSTS)("$name ends in a turn", (host) => {
  const stage = useStage("host-gone");
  const ours = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
  const newest = async () => (await stage.sandbox.runs())[0]!;
  const until = (what: () => unknown) => expect.poll(what, { timeout: 30_000, interval: 200 });

  function start(killed: Promise<void>, asked: Partial<Asked> = {}): Promise<unknown> {
    const binary = binaries[host.name];
    const path = "path" in binary ? binary.path : "";
    const run: Sandbox["run"] = (command, args, env) =>
      stage.sandbox.run(command, args, env, (child) => void killed.then(() => child.kill("SIGKILL")));
    return host.start({ ...stage.sandbox, run }, path, stage.model.url, { prompt: "do it", ...asked });
  }
  function install(prepare: Own["prepare"] = () => {}): void {
    host.configure(stage.sandbox, stage.model.url);
    prepare(stage.sandbox);
    stage.sandbox.tildone("install", host.name);
  }

  /** Every screen, and what scripts read. */
  async function neverSaysThatItWorks(): Promise<void> {
    const { id } = await newest();
    const { tildone } = stage.sandbox;
    const { state } = JSON.parse(tildone("status", id, "--json")) as { readonly state: string };
    expect(["cut off", "left", "stopped"]).toContain(state);
    const [first] = tildone("why", id).split("\n");
    expect(first).toMatch(new RegExp(`${id} is (cut off|left|stopped): `));
    for (const screen of [tildone("status"), tildone("status", id), tildone("report", id).split("\n## ")[0]!])
      expect(screen).not.toMatch(/working|compacting|continuing/);
  }

  test("because its context is full for good", async () => {
    install();
    let isAsked = false;
    stage.model.play((request) => {
      if (isAsked || !isMain(request)) return TOO_LONG; // also where a summary is asked for
      isAsked = true;
      return { calls: [ours] };
    });
    await start(new Promise(() => {}));
    await neverSaysThatItWorks();
    if (host.hidesFailures) await until(async () => (await newest()).ledger.left !== undefined).toBe(true);
    else await until(async () => (await newest()).ledger.decision).toMatchObject({ reason: "context_full" });
    await neverSaysThatItWorks();
  });

  test.each([
    { whose: "our", call: ours },
    { whose: "its own", ...ownItemOf(host) },
  ])("because it is killed, with $whose list", async ({ call, prepare, ...asked }: Own) => {
    install(prepare);
    const { script, asked: isAsked } = hanging([{ calls: [call] }, NEVER]);
    stage.model.play(script);
    await start(isAsked, asked);
    await neverSaysThatItWorks();
    await until(async () => (await newest()).ledger.left !== undefined).toBe(true);
    await neverSaysThatItWorks();
  });
});

describe.skipIf(!hasTmux).each(HOSTS)("$name rests in its terminal", (host) => {
  const stage = useStage("rests");
  const terminal = useHostTerminal();

  test("after its context was full for good", async () => {
    host.screen.prepare?.(stage.sandbox);
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
    const list = host.ours("write_todos", { mode: "replace", todos: [{ text: "one" }] });
    // A server that still starts when the model is first asked has no tools to offer.
    const steps: Step[] = [{ calls: [host.shell("sleep 5")] }, { calls: [list] }];
    stage.model.play((request) => (isMain(request) ? (steps.shift() ?? TOO_LONG) : TOO_LONG));
    const binary = binaries[host.name];
    await terminal.open(host, stage.sandbox, "path" in binary ? binary.path : "", stage.model.url, "do it");
    await expect
      .poll(async () => (await stage.sandbox.runs())[0]?.ledger.decision, { timeout: 60_000, interval: 500 })
      .toMatchObject({ type: "stop", reason: "context_full" });
    // Gemini itself asks the model once more, since its answer was empty.
    await expect
      .poll(() => stage.sandbox.tildone("status"), { timeout: 30_000, interval: 500 })
      .not.toMatch(/working|compacting|continuing/);
    expect((await stage.sandbox.runs())[0]?.ledger.decision).toMatchObject({ type: "stop", reason: "context_full" });
  });
});
