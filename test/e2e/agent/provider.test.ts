import { expect, test } from "vitest";
import { type Call, type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { stopsAfterEachItem, writeList } from "../pi/models.ts";
import { openSandbox } from "../pi/sandbox.ts";
import { aPlace, type Place } from "./tildone.ts";

const LONG = { timeout: 60_000 };
const model = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "auto-edit"];

/** The request after the list was written fails in this way, once. */
const failsOnce = (step: Step) => {
  let failed = false;
  return (request: ModelRequest): Step => {
    if (request.messages.at(-1)?.role !== "tool" || failed) return stopsAfterEachItem(1)(request);
    failed = true;
    return step;
  };
};

const HOUR = { status: 429, message: "slow down", headers: { "retry-after": "3600" } };

/** What another terminal says about the run that waits. */
async function said(tildone: Place["tildone"]): Promise<readonly string[]> {
  const { out } = await tildone("status");
  const run = out.split(" ")[0]!;
  return [out, (await tildone("status", run)).out, (await tildone("why", run)).out];
}

/** An hour from now: a run comes back a little after the reset. */
function expectInAnHour(text: string): void {
  const [, time = ""] = /(?:until|at)\s+(?:\d{4}-\d\d-\d\d )?(\d\d:\d\d)/.exec(text) ?? [];
  const [hour = Number.NaN, minute = Number.NaN] = time.split(":").map(Number);
  const now = new Date();
  const minutes = (hour * 60 + minute - now.getUTCHours() * 60 - now.getUTCMinutes() + 1440) % 1440;
  expect({ text, isAnHour: minutes >= 58 && minutes <= 75 }).toEqual({ text, isAnHour: true });
}

test("tildone run waits the hour that the provider asks for, and every screen says until when", LONG, async () => {
  await using place = aPlace({ TZ: "UTC" });
  await using provider = closing(await startScriptedModel(failsOnce(HOUR)));
  const run = place.start("run", "one file", ...model(provider.url));
  const [line] = await run.printed(/.*until.*UTC.*/);
  for (const text of [line, ...(await said(place.tildone))]) expectInAnHour(text);
  expect(provider.requests.length).toBe(2);
  run.child.kill("SIGKILL");
});

test("pi waits the hour that stands in the headers alone, and every screen says until when", LONG, async () => {
  await using box = await openSandbox({ script: failsOnce(HOUR), settings: { retry: { enabled: true } } });
  await using place = aPlace({ TZ: "UTC", TILDONE_HOME: box.env.TILDONE_HOME! });
  const pi = box.start("-p", "do it");
  let err = "";
  pi.stderr?.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  await expect.poll(() => err, { timeout: 40_000 }).toMatch(/until/);
  for (const text of [err, ...(await said(place.tildone))]) expectInAnHour(text);
  expect(box.model.requests.length).toBe(2);
});

test.each(["openai-completions", "anthropic-messages"] as const)(
  "pi over %s: one damaged piece in a stream is a failed turn that is tried again",
  LONG,
  async (api) => {
    const script = failsOnce({ stop: "garbled", text: "this does not arrive whole" });
    await using box = await openSandbox({ script, api, env: { TILDONE_BACKOFF_FIRST: "50ms" } });
    const { code, out, err } = await box.run("-p", "do it");
    expect([code, out, err]).toEqual([0, "That is done, I stop here.\n", expect.stringContaining("Finished")]);
  },
);

test("tildone run: one damaged piece in a stream is a failed turn that is tried again", LONG, async () => {
  await using place = aPlace();
  await using provider = closing(await startScriptedModel(failsOnce({ stop: "garbled", text: "this does not" })));
  const { code, out } = await place.tildone("run", "one file", "--json", ...model(provider.url));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"reason":"done_unproven"') });
});

const start = (index: number): Call => ["edit_todos", { action: "start", indices: [index] }];
const complete = (index: number): Call => ["edit_todos", { action: "complete", indices: [index] }];

test.each<[string, readonly Call[]]>([
  ["the list first", [writeList(1), start(0)]],
  ["the start first", [start(0), writeList(1)]],
])("a list and the start of its first todo in one answer, %s; completed twice", LONG, async (_what, calls) => {
  await using place = aPlace();
  const makes: Call = ["write", { path: "file-0.txt", content: "0" }];
  const script = (_request: ModelRequest, count: number): Step =>
    count === 1 ? { calls } : count === 2 ? { calls: [makes, complete(0), complete(0)] } : { text: "That is all." };
  await using provider = closing(await startScriptedModel(script));
  const { code, out } = await place.tildone("run", "one file", ...model(provider.url));
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/started \[0\] item 0[\s\S]*1\/1 done/) });
  expect(out).not.toContain("told it to continue");
  const told = provider.requests.at(-1)!.messages.flatMap(({ role, text }) => (role === "tool" ? [text] : []));
  expect(told.filter((text) => /no todos|out of range|rewritten|stays so/.test(text))).toEqual([]);
});

const closing = <T extends { close(): Promise<void> }>(server: T): T & AsyncDisposable =>
  Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
