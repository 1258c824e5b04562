import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { ModelRequest, Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { fileAppears } from "./file-appears.ts";
import { type Asked, bytesOf, type RealHost } from "./hosts.ts";
import type { Sandbox } from "./sandbox.ts";
import { hanging, mainRequests, NEVER, oks, type Scripted, stepwise, textOf, texts, turns } from "./script.ts";
import { useStage } from "./stage.ts";
import { supervisedSuite } from "./supervised-suite.ts";

/** What every host with our hooks must show: the real host, the shipped hook and server, a scripted model on loopback. */
export function hookSuite(host: RealHost): void {
  const { name } = host;
  const binary = inject("binaries")[name];
  if ("skipped" in binary) {
    test.skip(`${name} skipped: ${binary.skipped}`, () => {});
    return;
  }
  const stage = useStage(name);
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", name);
  });

  const start = (asked: Asked) => host.start(stage.sandbox, binary.path, stage.model.url, asked);
  const newest = async () => (await stage.sandbox.runs())[0]!;
  const write = (count: number) =>
    host.ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) });
  const complete = (at: number) => host.ours("edit_todos", { action: "complete", indices: [at] });
  const script: Scripted = {
    shell: host.shell,
    list: (count, done) => (done === 0 ? write(count) : complete(done - 1)),
  };

  describe("a list", () => {
    test.each([3, 20])("of %i is finished by a model that stops after every item", async (count) => {
      const bytes = bytesOf(host, stage.sandbox);
      stage.model.play(turns(stepwise(script, count)));
      const { code, err } = await start({ prompt: "do it all" });
      expect(code, err).toBe(0);
      const { plan, ledger, origin } = await newest();
      expect(plan.todos.map(({ status }) => status)).toEqual(Array(count).fill("completed"));
      expect(ledger.decision).toMatchObject({ type: "stop", reason: "done_unproven" });
      expect(ledger.spent.continuations).toBe(count);
      expect(origin.cwd).toBe(stage.sandbox.project);
      expect(bytesOf(host, stage.sandbox)).toEqual(bytes);
      expect(existsSync(failures())).toBe(false);
    });

    test("is given up after three idle turns by a model that only says ok", async () => {
      stage.model.play(turns([{ calls: [write(1)] }, ...oks()]));
      expect((await start({ prompt: "do it" })).code).toBe(0);
      expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "no_progress" });
      expect(mainRequests(stage.model)).toHaveLength(5); // the list, ok, and three nudged turns
    });

    test("is kept over a resume, with its counters", async () => {
      stage.model.play(turns([{ calls: [write(2)] }, ...oks()]));
      const session = host.sessionOf((await start({ prompt: "do it" })).out);
      const before = await newest();
      expect(before.ledger.since.idle).toBe(3);
      stage.model.play(turns([{ calls: [host.shell("seq -s- 40 44")] }, { text: "what was open?" }, ...oks()]));
      await start({ prompt: "how far are you?", resume: session! });
      const after = await newest();
      expect(after.id).toBe(before.id);
      expect(after.ledger.spent.continuations).toBe(before.ledger.spent.continuations + 3);
      expect(textOf(stage.model.requests.at(-1)!)).toContain("0/2 done, 2 remaining");
      // A call whose id the session knows from before would have no result.
      expect(JSON.stringify(stage.model.requests.at(-1)!.body)).toContain("40-41-42-43-44");
    });
  });

  test("a held run is not sent on, and unhold lets it go on", async () => {
    stage.model.play(turns([{ calls: [write(1)] }, { calls: [host.shell(cli("hold"))] }, ...oks()]));
    const session = host.sessionOf((await start({ prompt: "do it" })).out);
    expect((await newest()).ledger.decision).toMatchObject({ type: "stop", reason: "held" });
    expect(mainRequests(stage.model).length).toBeLessThanOrEqual(3); // some hosts end the turn after the call
    stage.sandbox.tildone("unhold");
    stage.model.play(turns([{ calls: [host.shell("echo 1 > work.txt"), complete(0)] }, { text: "done" }]));
    await start({ prompt: "go on", resume: session! });
    expect((await newest()).ledger.decision).toMatchObject({ reason: "done_unproven" });
  });

  test("hold --now refuses the next call, and the agent hears why", async () => {
    stage.model.play(
      turns([
        { calls: [write(1)] },
        { calls: [host.shell(cli("hold --now"))] },
        { calls: [host.shell("touch refused")] },
        ...oks(),
      ]),
    );
    await start({ prompt: "do it" });
    expect(existsSync(join(stage.sandbox.project, "refused"))).toBe(false);
    const asked = mainRequests(stage.model);
    // The turn ends after the call that holds, or at the next one; where no hook can end it, that call's answer says why.
    expect(asked.length).toBeLessThanOrEqual(4);
    if (asked.length > 3) expect(JSON.stringify(asked.at(-1)!.body)).toContain("tildone ends this turn");
  });

  describe("a signal to the host is an interrupt in the log", () => {
    const signalWhen = (met: Promise<void>, signal: "SIGINT" | "SIGKILL" = "SIGINT"): Sandbox["run"] => {
      return (command, args, env) =>
        stage.sandbox.run(command, args, env, (child) => void met.then(() => child.kill(signal)));
    };
    const toolStarted = () => fileAppears(stage.sandbox.project, "started");
    const inTool = () => turns([{ calls: [write(1)] }, { calls: [host.shell("touch started; sleep 60")] }, ...oks()]);
    const expectInterrupted = async () => {
      // The host does not always wait for what it started last.
      const decision = async () => (await newest()).ledger.decision;
      await expect.poll(decision, { timeout: 20_000 }).toMatchObject({ type: "stop", reason: "interrupted" });
      expect(stage.sandbox.tildone("status", (await newest()).id)).toContain("stopped: by you");
    };

    test.each<[string, readonly Step[]]>([
      ["", []],
      [" after it was told to continue", [{ text: "I stop here." }]],
    ])("while the model is asked%s", async (_when, before) => {
      const { script, asked } = hanging([{ calls: [write(1)] }, ...before, NEVER]);
      stage.model.play(script);
      await host.start({ ...stage.sandbox, run: signalWhen(asked) }, binary.path, stage.model.url, { prompt: "do it" });
      await expectInterrupted();
    });

    test("while a tool runs", async () => {
      stage.model.play(inTool());
      const run = signalWhen(toolStarted());
      await host.start({ ...stage.sandbox, run }, binary.path, stage.model.url, { prompt: "do it" });
      await expectInterrupted();
    });

    test("but a host that is killed only left: the status says that, and its resumed session is told to continue", async () => {
      stage.model.play(inTool());
      const run = signalWhen(toolStarted(), "SIGKILL");
      const { out } = await host.start({ ...stage.sandbox, run }, binary.path, stage.model.url, { prompt: "do it" });
      await expect.poll(() => stage.sandbox.tildone("status"), { timeout: 20_000 }).toContain(" left ");
      const { ledger, id } = await newest();
      expect([ledger.interrupt, ledger.decision]).toEqual([undefined, undefined]);
      expect(stage.sandbox.tildone("status", id)).toContain("left: the host exited in the middle of a turn");
      const work: Step[] = [{ calls: [host.shell("echo 1 > work.txt")] }, { calls: [complete(0)] }, { text: "done" }];
      stage.model.play(turns([{ text: "Where was I?" }, ...work]));
      await start({ prompt: "are you there?", resume: host.sessionOf(out)! });
      const log = stage.sandbox.tildone("log", id);
      expect((await newest()).ledger.decision, log).toMatchObject({ type: "stop", reason: "done_unproven" });
      expect(log).not.toContain("interrupted");
    });
  });

  test("a tool that the phase has no room for is refused with the reason; ours and the stop are not", async () => {
    stage.sandbox.write("home/.config/tildone/workflows/careful/workflow.yaml", CAREFUL);
    stage.sandbox.write("home/.config/tildone/workflows/careful/look.md", LOOK);
    stage.sandbox.write(
      "home/.config/tildone/workflows/careful/act.md",
      "---\nid: act\nname: Act\nemoji: 🔨\n---\nAct.\n",
    );
    stage.model.play(
      turns([
        { calls: [host.shell("touch refused")] },
        { text: "I may not." },
        { calls: [host.ours("workflow_step", { action: "next", summary: "looked" })] },
        { calls: [host.shell("touch allowed")] },
        { calls: [host.ours("workflow_step", { action: "next", summary: "acted" })] },
        { text: "The work is done." },
      ]),
    );
    await start({ prompt: "tildone workflow careful look around" });
    expect(JSON.stringify(stage.model.requests.map(({ body }) => body))).toContain(
      "is not available in the phase Look",
    );
    expect(existsSync(join(stage.sandbox.project, "refused"))).toBe(false);
    expect(existsSync(join(stage.sandbox.project, "allowed"))).toBe(true);
    expect((await newest()).plan.workflow?.status).toBe("finished");
  });

  test("the agent's own run of a check that you did not allow is an observed receipt", async () => {
    const todos = [{ text: "make it", check: "test -f made" }];
    const check = () => ({ calls: [host.shell("test -f made")] });
    stage.model.play(
      turns([
        { calls: [host.ours("write_todos", { mode: "replace", todos })] },
        check(),
        { calls: [host.shell("touch made")] },
        check(),
        { calls: [complete(0)] },
        { text: "Done." },
      ]),
    );
    expect((await start({ prompt: "do it" })).code).toBe(0);
    const { ledger, id } = await newest();
    expect(stage.sandbox.tildone("log", id)).toMatch(/failed[\s\S]*observed/);
    expect(Object.values(ledger.receipts)).toMatchObject([{ command: "test -f made", status: "observed" }]);
    const heard = JSON.stringify(mainRequests(stage.model)[1]!.body);
    expect(heard).toContain("tildone does not run checks that you propose: [0] test -f made");
  });

  test("a hook that crashes lets the host stop, and the failure is written down", async () => {
    stage.sandbox.write("home/.config/tildone/config.json", "{}");
    const breakIt = `echo '{ "nonsense": 1 }' > ${join(stage.sandbox.home, ".config/tildone/config.json")}`;
    stage.model.play(turns([{ calls: [write(1)] }, { calls: [host.shell(breakIt)] }, ...oks()]));
    const { code } = await start({ prompt: "do it" });
    expect(code).toBe(0);
    expect(mainRequests(stage.model)).toHaveLength(3);
    expect(readFileSync(failures(), "utf8")).toContain("your configuration is wrong");
    writeFileSync(join(stage.sandbox.home, ".config/tildone/config.json"), "{}");
    expect((await newest()).plan.todos).toHaveLength(1);
  });

  test.runIf(host.compaction)("the list is told again after a compaction", async () => {
    const { flags, env, tokens } = host.compaction!;
    const full = { input: tokens, output: 10 };
    const isSummary = (request: ModelRequest): boolean =>
      /summary|CONTEXT CHECKPOINT|handoff|state_snapshot/i.test(request.messages.at(-1)?.text ?? "");
    const next = turns(
      [
        { calls: [write(2)] },
        // A conversation of one exchange is not compacted: there is nothing to leave out.
        ...[1, 2, 3].map((at): Step => ({ calls: [host.shell(`echo ${at}`)] })),
        { calls: [host.shell("echo 4")], usage: full },
        ...oks(),
      ],
      isSummary,
    );
    // Who reads all of it says so, too: Qwen Code takes a summary that saves nothing for none.
    stage.model.play((request) => (isSummary(request) ? { ...next(request), usage: full } : next(request)));
    await start({ prompt: "do it", flags, env });
    const log = stage.sandbox.tildone("log", (await newest()).id);
    expect(log).toMatch(/compact/i);
    const told = mainRequests(stage.model).filter((request) => textOf(request).includes("[tildone] Todos: 0/2 done"));
    expect(told.length).toBeGreaterThan(0);
  });

  supervisedSuite({
    ...script,
    name,
    program: host.program,
    folder: programsOf(name),
    unasked: host.unasked,
    ...(host.limit && { limit: host.limit }),
    surroundings: () => ({ sandbox: stage.sandbox, model: stage.model, env: host.env(stage.sandbox, stage.model.url) }),
  });

  test("install, run and uninstall leave the configuration byte for byte as it was", async () => {
    stage.sandbox.tildone("uninstall", name);
    const before = bytesOf(host, stage.sandbox);
    stage.sandbox.tildone("install", name);
    stage.model.play(turns([{ text: "hello" }]));
    expect((await start({ prompt: "hello" })).code).toBe(0);
    stage.sandbox.tildone("uninstall", name);
    expect(bytesOf(host, stage.sandbox)).toEqual(before);
  });

  const failures = () => join(stage.sandbox.home, ".local/state/tildone/hook-failures.jsonl");
  /** The user in another terminal; here it is the agent's shell that types. */
  const cli = (words: string) =>
    `"${process.execPath}" "${join(import.meta.dirname, "../../bin/tildone.js")}" ${words}`;
}

const CAREFUL =
  "name: Careful\ncommandName: careful\ninitialMessage: 'Do this: {description}'\nphases:\n  - look.md\n  - act.md\n";
const LOOK = "---\nid: look\nname: Look\nemoji: 👀\ntools:\n  whitelist: ['@read']\n---\nLook, and change nothing.\n";
