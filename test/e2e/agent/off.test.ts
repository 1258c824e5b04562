import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { todoTools } from "../../../src/hosts/pi/tools/index.ts";
import { stepTool } from "../../../src/hosts/pi/workflow/index.ts";
import { type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { PI } from "../pi/sandbox.ts";
import { aPlace, type Place } from "./tildone.ts";

const LONG = { timeout: 60_000 };
const TASK = "Write a file, look at it and count its words.";

/** Every kind of answer: words and calls, several calls at once, a call that fails, and the end. */
const CONVERSATION: readonly Step[] = [
  { text: "I write it first.", calls: [["write", { path: "words.txt", content: "one two\n" }]] },
  {
    calls: [
      ["read", { path: "words.txt" }],
      ["bash", { command: "say_hello; wc -w < words.txt" }],
    ],
  },
  { calls: [["read", { path: "no-such-file.txt" }]] },
  { calls: [["edit", { path: "words.txt", edits: [{ oldText: "two", newText: "three" }] }]] },
  { text: "It has two words." },
];

test.each<[string, { flags?: readonly string[]; env?: Record<string, string>; config?: string }]>([
  ["the agent is one that is not sent on", { flags: ["--agent", "task"] }],
  ["the flag says so", { flags: ["--no-auto-complete-todos"] }],
  ["the environment says so", { env: { TILDONE_OFF: "1" } }],
  ["the configuration of the agent says so", { config: "agents: { coder: { todoDrivenExecution: false } }\n" }],
])(
  "off, because %s: the model is asked exactly what plain pi asks",
  LONG,
  async (_why, { flags = [], env, config }) => {
    await using place = aPlace(env);
    if (config !== undefined) put(join(place.env.TILDONE_HOME, "config.yaml"), config);
    const [ours, theirs] = [await startScriptedModel(CONVERSATION), await startScriptedModel(CONVERSATION)];
    layOutModel(place, ours.url);
    const ran = await place.tildone("run", TASK, "--model", "scripted/m", "--approval", "yolo", ...flags);
    layOutModel(place, theirs.url);
    expect(await plainPi(place)).toBe(0);
    await Promise.all([ours.close(), theirs.close()]);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 5, err: "" });
    expect(ours.requests.length).toBe(CONVERSATION.length);
    expect(ours.requests.map(plain)).toEqual(theirs.requests.map(({ body }) => body));
  },
);

test("what the model is told of our tools does not promise that it is told to continue", () => {
  expect(OUR_LINES.concat(OURS.map(({ description }) => description)).join("\n")).not.toMatch(
    /by itself|automatic|sent on|continu/i,
  );
});

function layOutModel(place: Place, url: string): void {
  const models = [{ id: "m", contextWindow: 100_000, maxTokens: 4000 }];
  const scripted = { api: "openai-completions", apiKey: "x", baseUrl: `${url}/v1`, models };
  put(join(place.pi, "settings.json"), JSON.stringify({ shellCommandPrefix: "say_hello() { echo hello; }" }));
  put(join(place.pi, "models.json"), JSON.stringify({ providers: { scripted } }));
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function plainPi(place: Place): Promise<unknown> {
  const args = [PI, "--provider", "scripted", "--model", "m", "-p", TASK];
  const child = spawn(process.execPath, args, { cwd: place.project, env: place.env, stdio: "ignore" });
  return new Promise((done) => child.once("close", done));
}

/** A request without the definitions of our tools: what they are, and what pi says of them in its system prompt. */
function plain({ body }: ModelRequest): unknown {
  const { tools, messages, ...rest } = body as Body;
  const [system, ...others] = messages;
  return {
    ...rest,
    tools: tools.filter((tool) => !OURS.some(({ name }) => name === tool.function.name)),
    messages: [{ ...system, content: withoutOurLines(String(system?.content)) }, ...others],
  };
}

interface Body {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly content: unknown }[];
}

const unused = () => {
  throw new Error("only the definitions are read");
};
const OURS = [...todoTools(unused), stepTool(unused)];
const OUR_LINES = OURS.flatMap(({ name, promptSnippet, promptGuidelines = [] }) => [
  `- ${name}: ${promptSnippet}`,
  ...promptGuidelines.map((line) => `- ${line}`),
]);

const withoutOurLines = (prompt: string): string =>
  prompt
    .split("\n")
    .filter((line) => !OUR_LINES.includes(line))
    .join("\n");
