import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Invocation } from "../../../scheduler/index.ts";
import { readCommandFile } from "./command-file.ts";

const ports = { parseYaml: parse, shell: async (line: string) => `<${line}>` };
const invocation = (given: Partial<Invocation> = {}): Invocation => ({
  line: "/x",
  args: "it's $1",
  confirmedShell: new Set(),
  isConfirmed: false,
  ...given,
});
const read = (header: string, body = "") =>
  readCommandFile("x", `---\ndescription: does it\n${header}\n---\n${body}`, ports);
async function action(header: string, body = "", given: Partial<Invocation> = {}) {
  const file = read(header, body);
  if (!file.ok) throw new Error(file.message);
  return file.command.action?.(invocation(given));
}

test.each([
  ["a prompt", "", "Do {{args}}.", { type: "submit_prompt", text: "Do it's $1." }],
  ["a message", "message: hi {{args}}", "", { type: "message", level: "info", text: "hi it's $1" }],
  [
    "a tool, and what follows",
    'tool: edit\nargs: { path: "{{args}}", edits: [{ oldText: "{{args}}", all: true }] }',
    "Look at {{args}}.",
    {
      type: "tool",
      tool: "edit",
      args: { path: "it's $1", edits: [{ oldText: "it's $1", all: true }] },
      afterwards: "Look at it's $1.",
    },
  ],
  ["a tool without arguments", "tool: ls", "", { type: "tool", tool: "ls", args: {} }],
  ["a dialog", "dialog: queue", "", { type: "dialog", dialog: "queue" }],
  ["the end", "quit: true", "", { type: "quit" }],
  ["the end with words", "quit: bye", "", { type: "quit", message: "bye" }],
  [
    "a history",
    "history: [{ role: user, text: a }]",
    "",
    { type: "load_history", history: [{ role: "user", text: "a" }] },
  ],
  ["a question first", "confirm: Do {{args}}?\nquit: true", "", { type: "confirm_action", question: "Do it's $1?" }],
])("%s", async (_what, header, body, expected) => expect(await action(header, body)).toEqual(expected));

test("after a yes it does what it would have done without the question", async () =>
  expect(await action("confirm: Sure?\nmessage: done", "", { isConfirmed: true })).toMatchObject({ text: "done" }));

test("shell lines are asked about with their words quoted, each once, and stand in the prompt with what they print", async () => {
  const body = "A !{git log {{args}}} and !{ls} and !{ls}.";
  const lines = ["git log 'it'\\''s $1'", "ls"];
  expect(await action("", body)).toEqual({ type: "confirm_shell", commands: lines });
  expect(await action("", body, { confirmedShell: new Set(["ls"]) })).toMatchObject({ commands: [lines[0]] });
  expect(await action("", body, { confirmedShell: new Set(lines) })).toEqual({
    type: "submit_prompt",
    text: `A <${lines[0]}> and <ls> and <ls>.`,
  });
});

test("what a shell line prints is text, whatever stands in it", async () => {
  const file = readCommandFile("x", "---\ndescription: d\n---\n!{a} {{args}}", {
    ...ports,
    shell: async () => "{{args}} !{rm} $&",
  });
  if (!file.ok) throw new Error(file.message);
  const given = invocation({ args: "!{b}", confirmedShell: new Set(["a"]) });
  expect(await file.command.action?.(given)).toEqual({ type: "submit_prompt", text: "{{args}} !{rm} $& !{b}" });
});

test.each([
  ["no header", "just text", "it needs a header"],
  ["a header that is a list", "---\n- a\n---\nb", "its header is not a list of fields"],
  ["no description", "---\nmessage: a\n---\n", "description must be text"],
  ["an unknown field", "---\ndescription: d\nprompt: x\n---\n", 'it has no field "prompt"'],
  ["two things", "---\ndescription: d\nmessage: a\ntool: b\n---\n", "one thing: tool or message"],
  ["nothing", "---\ndescription: d\n---\n", "it has no text"],
  ["a tool without a name", "---\ndescription: d\ntool: 1\n---\n", "tool must be"],
  ["a message that is none", "---\ndescription: d\nmessage: 1\n---\n", "message must be"],
  ["a dialog that is none", "---\ndescription: d\ndialog: 1\n---\n", "dialog must be"],
  ["an end that is none", "---\ndescription: d\nquit: 1\n---\n", "quit must be"],
  ["a history that is none", "---\ndescription: d\nhistory: 1\n---\n", "history must be"],
  ["a question that is none", "---\ndescription: d\nconfirm: 1\nquit: true\n---\n", "confirm must be"],
  ["arguments of nothing", "---\ndescription: d\nargs: {}\nquit: true\n---\n", "args belong to a tool"],
])("%s is a mistake", (_what, text, message) => {
  const file = readCommandFile("x", text, ports);
  expect(file.ok ? "no mistake" : file.message).toContain(message);
});

test("the name is part of it", () =>
  expect(readCommandFile("Not Good", "---\ndescription: d\nquit: true\n---\n", ports)).toMatchObject({ ok: false }));
