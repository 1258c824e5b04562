import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialectOf, TABLED, type Tabled } from "../../test/builders/hook-hosts.ts";
import { carriedMark } from "../core/words/index.ts";
import { heardIn } from "./heard.ts";

const said = (id: string): string => JSON.stringify(`${carriedMark(id)}\nMind the gap.`);

/** As the hosts were seen to write them: what the model reads, and what became of a hook. */
const LINES: Readonly<Record<Tabled, { readonly read: readonly string[]; readonly aside: readonly string[] }>> = {
  "claude-code": {
    read: [
      `{"parentUuid":"p","attachment":{"type":"hook_additional_context","content":[${said("w1")}],"hookName":"UserPromptSubmit"},"type":"attachment"}`,
      `{"parentUuid":"p","attachment":{"type":"hook_additional_context","content":[${said("w1")}],"hookName":"Stop"},"type":"attachment"}`,
    ],
    aside: [
      `{"attachment":{"type":"hook_success","hookName":"Stop","content":"","stdout":${JSON.stringify(said("w1"))},"exitCode":137},"type":"attachment"}`,
      `{"attachment":{"type":"hook_non_blocking_error","stdout":${JSON.stringify(said("w1"))},"exitCode":1},"type":"attachment"}`,
      `{"message":{"role":"user","content":[{"type":"tool_result","content":${said("w1")}}]},"type":"user"}`,
    ],
  },
  codex: {
    read: [
      `{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":${said("w1")}}]}}`,
      `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":${said("w1")}}]}}`,
    ],
    aside: [
      `{"type":"response_item","payload":{"type":"function_call_output","output":${said("w1")}}}`,
      `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","output":${said("w1")}}}}`,
    ],
  },
  gemini: {
    read: [
      `{"id":"m","timestamp":"t","type":"user","content":[{"text":${said("w1")}}],"displayContent":[{"text":"go on"}]}`,
      `{"$set":{"messages":[{"id":"m","type":"user","content":[{"text":${said("w1")}}]}]}}`,
    ],
    aside: [`{"id":"m","timestamp":"t","type":"user","content":[{"functionResponse":{"output":${said("w1")}}}]}`],
  },
};

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tildone-heard-"));
  path = join(folder, "transcript.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(TABLED)("%s", (host) => {
  const { isRead } = dialectOf(host);

  test.each(LINES[host].read)("a message that the model reads was heard: %s", async (line) => {
    writeFileSync(path, `{"message":1}\n${line}\n{"message":2}\n`);
    expect(await heardIn(path, ["w1"], isRead)).toEqual(["w1"]);
  });

  test("what became of a hook, or what a tool printed, was not", async () => {
    writeFileSync(path, `${LINES[host].aside.join("\n")}\n`);
    expect(await heardIn(path, ["w1"], isRead)).toEqual([]);
  });
});

test("the same words said before, under another id, are another message", async () => {
  writeFileSync(path, `${LINES.codex.read[0]}\n`);
  expect(await heardIn(path, ["w2"], dialectOf("codex").isRead)).toEqual([]);
});

test("a host that writes it a moment later is waited for", async () => {
  writeFileSync(path, "");
  setTimeout(() => appendFileSync(path, `${LINES.codex.read[0]}\n`), 120);
  expect(await heardIn(path, ["w1"], dialectOf("codex").isRead)).toEqual(["w1"]);
});

test("without a transcript it is not known", async () => {
  expect(await heardIn(undefined, ["w1"], dialectOf("codex").isRead)).toBeUndefined();
  expect(await heardIn(path, ["w1"], dialectOf("codex").isRead)).toBeUndefined();
});

test("only the end of a very long transcript is read", async () => {
  writeFileSync(path, `${LINES.codex.read[0]}\n${`{"x":"${"x".repeat(1_000_000)}"}\n`.repeat(17)}`);
  expect(await heardIn(path, ["w1"], dialectOf("codex").isRead)).toEqual([]);
});
