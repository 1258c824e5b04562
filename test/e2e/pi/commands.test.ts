import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/hosts/pi/commands/index.ts";
import type { Call, ModelRequest, Step } from "../../../src/testing/index.ts";
import { calls, openInProcess, says, until } from "./in-process.ts";
import { stopsAfterEachItem, workOn, writeList } from "./models.ts";
import { count, isType, openRpc } from "./rpc.ts";
import { openSandbox } from "./sandbox.ts";

test("no command has the name of one of pi's own", async () => {
  // Not part of pi's public door: the list is read from where pi keeps it.
  const path = new URL("./core/slash-commands.js", import.meta.resolve("@earendil-works/pi-coding-agent"));
  const { BUILTIN_SLASH_COMMANDS } = (await import(fileURLToPath(path))) as {
    BUILTIN_SLASH_COMMANDS: readonly { name: string }[];
  };
  const theirs = BUILTIN_SLASH_COMMANDS.map(({ name }) => name);
  expect(theirs).toContain("resume");
  const ours = COMMANDS.map(({ name }) => name);
  expect(ours).toEqual(expect.arrayContaining(["todos", "hold", "unhold", "extend", "tildone"]));
  expect(COMMANDS.filter(({ name }) => theirs.includes(name))).toEqual([]);
});

const WRITTEN: Call = writeList(3);
const blocksAll: Call = ["edit_todos", { action: "block", indices: [0, 1, 2], reason: "key" }];

async function openWithList() {
  const pi = await openInProcess({ mode: "rpc" });
  pi.faux.setResponses([calls(WRITTEN), calls(blocksAll), says("I need the key.")]);
  await pi.session.prompt("go");
  const tell = async (command: string) => {
    await pi.session.prompt(command);
    return pi.terminal.said.at(-1);
  };
  return { pi, tell };
}

test("/todos edits the list as the user says", async () => {
  const { pi, tell } = await openWithList();
  await using _ = pi;
  await tell("/hold");
  expect(await tell("/todos")).toBe("⏸ [0] item 0\n⏸ [1] item 1\n⏸ [2] item 2");
  expect(await tell("/todos done 0 1")).toBe("✓ [0] item 0\n✓ [1] item 1\n⏸ [2] item 2");
  expect(await tell("/todos reopen 1")).toBe("✓ [0] item 0\n– [1] item 1\n⏸ [2] item 2");
  expect(await tell("/todos unblock 2")).toBe("✓ [0] item 0\n– [1] item 1\n– [2] item 2");
  expect(await tell("/todos move 2 0")).toBe("– [0] item 2\n✓ [1] item 0\n– [2] item 1");
  expect(await tell("/todos edit 0 something else")).toBe("– [0] something else\n✓ [1] item 0\n– [2] item 1");
  expect(await tell("/todos drop 1")).toBe("– [0] something else\n– [1] item 1");
  expect(await tell("/todos add by hand")).toBe("– [0] something else\n– [1] item 1\n– [2] by hand");
  expect(await tell("/todos done 9")).toBe("Indices [9] are out of range (0 to 2).");
  expect(await tell("/todos frobnicate 1")).toContain(`Unknown action "frobnicate 1".`);
  expect(await tell("/todos clear")).toBe("Run ended, list cleared.");
  expect(await tell("/todos")).toBe("No todos");
  expect([pi.nudges(), pi.errors, pi.faux.state.callCount]).toEqual([[], [], 3]);
});

test("/hold, /unhold, /extend and /tildone say what they did, and what they cannot", async () => {
  {
    await using pi = await openInProcess({ mode: "rpc" });
    for (const command of ["/hold", "/unhold", "/extend", "/tildone accept"]) {
      await pi.session.prompt(command);
      expect(pi.terminal.said.at(-1)).toBe("There is no run in this session.");
    }
    await pi.session.prompt("/tildone");
    expect(pi.terminal.said.at(-1)).toBe(
      "No run in this session yet.\nSettings: countdown 0 s; stops after 3 idle, 20 without a change, 60 without progress.",
    );
  }
  const { pi, tell } = await openWithList();
  await using _ = pi;
  expect(await tell("/hold")).toBe("On hold. /unhold continues.");
  pi.faux.setResponses([
    calls(["edit_todos", { action: "block", indices: [0, 1, 2], reason: "still the key" }]),
    says("I cannot."),
  ]);
  expect(await tell("/unhold")).toBe("The agent is working.");
  await pi.session.waitForIdle();
  expect(await tell("/extend twenty")).toContain(`"twenty" is not a budget`);
  expect(await tell("/extend 20")).toBe("Extended. It has no budget.");
  expect(await tell("/tildone off")).toBe("Continuation is off for this run.");
  expect(await tell("/tildone on")).toBe("Continuation is on for this run.");
  expect(await tell("/tildone sideways")).toBe(`There is no "/tildone sideways": on, off, accept or clear.`);
  const report = await tell("/tildone");
  expect(report).toMatch(/^Run \S+: 0\/3 done\.\nEvery open todo is blocked/);
  expect(report).toMatch(/Last decisions:\n( {2}\d\d:\d\d:\d\d .+\n)+/);
  expect(report).toContain("every open todo is blocked: Every open todo is blocked");
  expect(report).toContain("on hold: On hold.");
});

test("the same stop is said once, however often the agent answers meanwhile", async () => {
  const { pi, tell } = await openWithList();
  await using _ = pi;
  await tell("/hold");
  for (let turn = 0; turn < 3; turn++) {
    pi.faux.setResponses([says("I am here.")]);
    await pi.session.prompt("are you there?");
  }
  expect(pi.notices().filter((text) => text.includes("On hold.")).length).toBe(1);
});

test("/extend lets a run continue that stopped without progress", async () => {
  await using pi = await openInProcess({ mode: "rpc" });
  pi.faux.setResponses([calls(writeList(1)), ...Array.from({ length: 4 }, () => says("no"))]);
  await pi.session.prompt("go");
  expect(pi.notices().at(-1)).toContain("made no progress");
  pi.faux.setResponses([calls(...workOn(0)), says("Done.")]);
  await pi.session.prompt("/extend");
  await until(() => pi.notices().at(-1)?.includes("Finished, but") === true, "the end");
  expect(pi.nudges().length).toBe(4);
});

test("print and json stay until the turn that a command started has settled", async () => {
  await using box = await openSandbox({ script: [{ calls: [WRITTEN] }, { text: "no" }], keepsSession: true });
  const stuck = await box.run("-p", "do it");
  expect(stuck.err).toContain("made no progress");
  for (const [mode, items] of [
    [["--mode", "json"], 1],
    [["-p"], 2],
  ] as const) {
    let left = items;
    box.model.play((request: ModelRequest): Step => {
      if (request.system === "") return { status: 400, message: "there is no system prompt" };
      return left-- > 0 ? stopsAfterEachItem(3)(request) : { text: "no" };
    });
    const before = box.model.requests.length;
    const { code, err } = await box.run("-c", ...mode, "/extend");
    expect([code, err]).toEqual([0, expect.stringContaining("made no progress")]);
    expect(box.model.requests.length - before).toBeGreaterThan(items + 2);
  }
});

test("rpc answers a command at once, also while the agent works, and a hold takes effect at the next boundary", async () => {
  let release = () => {};
  const script = (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role !== "tool") return { calls: [WRITTEN] };
    return {
      text: "I stop here.",
      after: new Promise<void>((done) => {
        release = done;
      }),
    };
  };
  await using box = await openSandbox({ script });
  const rpc = openRpc(box);
  rpc.send({ type: "prompt", message: "do it" });
  await box.model.received(2);
  rpc.send({ id: "hold", type: "prompt", message: "/hold" });
  expect(await rpc.next(({ id }) => id === "hold")).toMatchObject({ success: true });
  release();
  await rpc.next(isType("agent_settled"));
  expect(rpc.events).toContainEqual(
    expect.objectContaining({ method: "notify", message: expect.stringContaining("On hold.") }),
  );
  expect(box.model.requests.length).toBe(2);
  box.model.play(stopsAfterEachItem(3));
  const from = rpc.events.length;
  rpc.send({ id: "unhold", type: "prompt", message: "/unhold" });
  await rpc.next(({ id }) => id === "unhold", from);
  await rpc.next(isType("agent_settled"), from);
  expect([await rpc.close(), count(rpc.events, "extension_error")]).toEqual([0, 0]);
  expect(box.model.requests.length).toBe(2 + 6);
});
