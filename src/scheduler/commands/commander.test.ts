import { describe, expect, test } from "vitest";
import type { Action, CommandHost } from "./action.ts";
import { createCommander } from "./commander.ts";
import type { SlashCommand } from "./slash-command.ts";

/** A host that writes down what it is asked to do. */
function aHost(given: { answer?: "yes" | "always" | "no"; fails?: boolean } = {}) {
  const did: string[] = [];
  const note = async (line: string) => void did.push(line);
  const host: CommandHost = {
    show: (level, text) => void did.push(`${level}: ${text}`),
    schedule: async (tool, args) => {
      did.push(`call ${tool} ${JSON.stringify(args)}`);
      return given.fails ? { ok: false, ended: "it failed" } : { ok: true, ended: "" };
    },
    submit: (text) => note(`submit ${text}`),
    confirm: async (confirmation) => {
      did.push(`confirm ${confirmation.type === "shell" ? confirmation.commands.join(", ") : confirmation.question}`);
      return given.answer ?? "yes";
    },
    openDialog: (dialog, props) => note(`dialog ${dialog} ${JSON.stringify(props)}`),
    loadHistory: (history) => note(`history ${history.length}`),
    quit: (message) => note(`quit ${message}`),
  };
  return { did, host };
}
const returning = (action: Action | undefined): SlashCommand => ({
  name: "go",
  description: "Goes.",
  action: () => action,
});
const deploy: SlashCommand = {
  name: "deploy",
  description: "Deploys.",
  action: ({ confirmedShell, args }) =>
    confirmedShell.has("make deploy")
      ? { type: "submit_prompt", text: `deploy ${args}` }
      : { type: "confirm_shell", commands: ["make deploy"] },
};
const wipe: SlashCommand = {
  name: "wipe",
  description: "Wipes.",
  action: ({ isConfirmed }) =>
    isConfirmed ? { type: "message", level: "info", text: "wiped" } : { type: "confirm_action", question: "Wipe all?" },
};

describe("each of the eight actions", () => {
  test.each<[string, SlashCommand, string, string[]]>([
    ["a tool call", returning({ type: "tool", tool: "read", args: { path: "a" } }), "/go", ['call read {"path":"a"}']],
    [
      "a tool call, then a prompt",
      returning({ type: "tool", tool: "read", args: {}, afterwards: "sum it up" }),
      "/go",
      ["call read {}", "submit sum it up"],
    ],
    ["a message", returning({ type: "message", level: "info", text: "hello" }), "/go", ["info: hello"]],
    ["quit", returning({ type: "quit", message: "bye" }), "/go", ["quit bye"]],
    [
      "a dialog",
      returning({ type: "dialog", dialog: "theme", props: { dark: true } }),
      "/go",
      ['dialog theme {"dark":true}'],
    ],
    ["history", returning({ type: "load_history", history: [1, 2] }), "/go", ["history 2"]],
    ["a prompt", returning({ type: "submit_prompt", text: "do it" }), "/go", ["submit do it"]],
    ["shell commands to confirm", deploy, "/deploy now", ["confirm make deploy", "submit deploy now"]],
    ["an action to confirm", wipe, "/wipe", ["confirm Wipe all?", "info: wiped"]],
    ["nothing", returning(undefined), "/go", []],
  ])("%s", async (_what, command, line, expected) => {
    const { host, did } = aHost();
    expect(await createCommander([command], host).run(line)).toBe("handled");
    expect(did).toEqual(expected);
  });
});

describe("what can go wrong", () => {
  test.each([
    ["the human declines shell commands", deploy, ["confirm make deploy", "info: Nothing was done."]],
    ["the human declines an action", wipe, ["confirm Wipe all?", "info: Nothing was done."]],
  ])("%s: nothing is done", async (_what, command, expected) => {
    const { host, did } = aHost({ answer: "no" });
    await createCommander([command], host).run(`/${command.name}`);
    expect(did).toEqual(expected);
  });

  test("a tool that fails is shown, and what should follow does not", async () => {
    const { host, did } = aHost({ fails: true });
    const command = returning({ type: "tool", tool: "read", args: {}, afterwards: "sum it up" });
    await createCommander([command], host).run("/go");
    expect(did).toEqual(["call read {}", "error: read: it failed"]);
  });

  test("a command that throws was handled all the same", async () => {
    const { host, did } = aHost();
    const command: SlashCommand = {
      name: "bad",
      description: "",
      action: () => {
        throw new Error("no network");
      },
    };
    expect(await createCommander([command], host).run("/bad")).toBe("handled");
    expect(did).toEqual(["error: /bad: no network"]);
  });

  test("a command that asks forever is given up", async () => {
    const { host, did } = aHost();
    const command: SlashCommand = {
      name: "nag",
      description: "",
      action: () => ({ type: "confirm_action", question: "Sure?" }),
    };
    await createCommander([command], host).run("/nag");
    expect(did.filter((line) => line.startsWith("confirm"))).toHaveLength(6);
    expect(did.at(-1)).toContain("given up");
  });

  test.each<[Action, string]>([
    [{ type: "tool", tool: "read", args: {} }, "call tools for a command"],
    [{ type: "quit" }, "quit from here"],
    [{ type: "dialog", dialog: "theme" }, "open dialogs"],
    [{ type: "load_history", history: [] }, "load another conversation"],
    [{ type: "submit_prompt", text: "x" }, "start a turn"],
    [{ type: "confirm_shell", commands: ["x"] }, "ask for a confirmation"],
    [{ type: "confirm_action", question: "x" }, "ask for a confirmation"],
  ])("a host that cannot do %j says so", async (action, what) => {
    const did: string[] = [];
    const host: CommandHost = { show: (level, text) => void did.push(`${level}: ${text}`) };
    await createCommander([returning(action)], host).run("/go");
    expect(did).toEqual([`error: This host cannot ${what}.`]);
  });
});

test("shell commands allowed for good are not asked about again, those allowed once are", async () => {
  const always = aHost({ answer: "always" });
  const commander = createCommander([deploy], always.host);
  await commander.run("/deploy a");
  await commander.run("/deploy b");
  expect(always.did).toEqual(["confirm make deploy", "submit deploy a", "submit deploy b"]);
  const once = aHost();
  const other = createCommander([deploy], once.host);
  await other.run("/deploy a");
  await other.run("/deploy b");
  expect(once.did.filter((line) => line.startsWith("confirm"))).toHaveLength(2);
});

describe("which command a line names", () => {
  const commands: readonly SlashCommand[] = [
    {
      name: "todos",
      aliases: ["t"],
      description: "The list.",
      subCommands: [
        {
          name: "add",
          description: "Adds one.",
          action: ({ args }) => ({ type: "message", level: "info", text: `add:${args}` }),
        },
        { name: "all", description: "Shows all.", action: () => ({ type: "message", level: "info", text: "all" }) },
      ],
      action: ({ args }) => ({ type: "message", level: "info", text: `todos:${args}` }),
      complete: (prefix) => ["clear", "copy"].filter((word) => word.startsWith(prefix)),
    },
    {
      name: "mode",
      description: "The mode.",
      subCommands: [{ name: "plan", description: "Reads only.", action: () => undefined }],
    },
  ];
  test.each([
    ["the command itself", "/todos", "info: todos:"],
    ["with arguments", "/todos  buy milk ", "info: todos:buy milk"],
    ["a sub-command", "/todos add buy milk", "info: add:buy milk"],
    ["by another name", "/t add x", "info: add:x"],
    ["a word that only begins like a sub-command", "/todos addx", "info: todos:addx"],
    ["a group shows what is in it", "/mode", "info: /mode - The mode.\n  /mode plan - Reads only."],
  ])("%s", async (_what, line, expected) => {
    const { host, did } = aHost();
    expect(await createCommander(commands, host).run(line)).toBe("handled");
    expect(did).toEqual([expected]);
  });

  test.each(["/usr/bin/env is a path", "no slash", "/", "/unknown", ""])("%j is text for the agent", async (line) => {
    const { host, did } = aHost();
    expect(await createCommander(commands, host).run(line)).toBe("text");
    expect(did).toEqual([]);
  });

  test.each([
    ["/", ["/todos", "/mode"]],
    ["/to", ["/todos"]],
    ["/todos ", ["/todos add", "/todos all", "/todos clear", "/todos copy"]],
    ["/todos a", ["/todos add", "/todos all"]],
    ["/todos c", ["/todos clear", "/todos copy"]],
    ["/mode p", ["/mode plan"]],
    ["/nothing x", []],
    ["plain", []],
  ])("%j could become %j", async (line, expected) =>
    expect(await createCommander(commands, aHost().host).complete(line)).toEqual(expected),
  );
});
