import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Call, startScriptedModel } from "../../scripted/index.ts";
import { asCommand, PERSONAS, type PersonaCall } from "./index.ts";
import { scriptOf } from "./script-of.ts";

const persona = (name: string) => PERSONAS.find((each) => each.name === name)!;
const toolOf = (call: PersonaCall): Call => {
  const command = asCommand(call);
  return command === undefined ? [call.tool, call.input] : ["bash", { command }];
};

test("a persona is played by a model on loopback, one answer a request", async () => {
  const model = await startScriptedModel(scriptOf(persona("is rate-limited"), toolOf));
  const ask = async () => {
    const response = await fetch(`${model.url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ role: "user", content: "go on" }], stream: true }),
    });
    return { status: response.status, after: response.headers.get("retry-after"), text: await response.text() };
  };
  const answers = [await ask(), await ask(), await ask(), await ask(), await ask()];
  expect(answers.map(({ status, after }) => [status, after])).toEqual([
    [200, null],
    [200, null],
    [429, "3600"],
    [200, null],
    [200, null],
  ]);
  expect(answers[0]!.text).toContain("write_todos");
  expect(answers[1]!.text).toContain("bash");
  expect(answers[4]!.text).toContain("Everything is done.");
  await model.close();
});

test("a file is written and read by a shell as well, whatever stands in it", () => {
  const content = 'it\'s $HOME `x` \\ "quoted"\n\n%s';
  const cwd = mkdtempSync(join(tmpdir(), "as-command-"));
  const sh = (call: PersonaCall) => execFileSync("/bin/sh", ["-c", asCommand(call)!], { cwd, encoding: "utf8" });
  sh({ tool: "write_file", input: { path: "a dir/it's", content } });
  expect(sh({ tool: "read_file", input: { path: "a dir/it's" } })).toBe(content);
  rmSync(cwd, { recursive: true });
  expect(asCommand({ tool: "list_todos", input: {} })).toBeUndefined();
});
