import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialectOf, TABLED, type Tabled } from "../../test/builders/hook-hosts.ts";
import { type HookSession, hookSession, Killed } from "../../test/builders/hook-session.ts";
import { answerHooksOf } from "./answer-hooks-of.ts";
import type { EventName } from "./happening.ts";

/** Every way in which a message may meet a hook. A case is one choice of each; TILDONE_HOOK_CASES=all takes them all. */
const GRAMMAR = {
  host: TABLED,
  run: ["working", "parked", "stopped", "interrupted", "held"],
  event: [
    "prompt",
    "prompt of the host",
    "pre-tool",
    "post-tool",
    "stop",
    "session-start",
    "subagent-stop",
    "failure",
    "compaction",
    "session-end",
  ],
  ends: [
    "prints",
    "crashes before it prints",
    "finds its pipe closed",
    "is killed while it prints",
    "is killed after it printed",
  ],
  by: ["itself", "the server of its session"],
  messages: [1, 2, 3],
  meanwhile: ["nothing else happens", "you say one more", "the same event comes twice"],
} as const;
type Case = { readonly [Part in keyof typeof GRAMMAR]: (typeof GRAMMAR)[Part][number] };

const CASES: readonly Case[] = Object.entries(GRAMMAR).reduce<readonly object[]>(
  (all, [part, choices]) => all.flatMap((one) => choices.map((choice) => ({ ...one, [part]: choice }))),
  [{}],
) as readonly Case[];

/** Every event is written durably, which takes a disk ten times as long as all the rest. */
const MEMORY = "/dev/shm";

/** A prime step walks through all of them, so that every choice of every part is met early. */
const STEP = 7919;
const FEW = 100;
const asked = process.env.TILDONE_HOOK_CASES ?? "";
const count = asked === "all" ? CASES.length : Number(asked) || FEW;
const today = Math.floor(Date.now() / 86_400_000);
const chosen = Array.from({ length: count }, (_, at) => CASES[((today * count + at) * STEP) % CASES.length]!);

/** Answers to these reach the model: the rest of what a hook prints is for the host, or is not read. */
const SHOWN: readonly Case["event"][] = ["prompt", "prompt of the host", "stop"];

describe("messages at a hook", () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "tildone-messages-"));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test(
    `${count} of ${CASES.length} cases: each message is shown to the agent once, and the log says so`,
    async () => {
      const wrong: string[] = [];
      for (const [at, one] of chosen.entries()) {
        const problem = await problemIn(one, hookSession(one.host, home, `s${at}`), home);
        if (problem !== undefined) wrong.push(`${Object.values(one).join(" | ")}: ${problem}`);
      }
      expect(wrong.slice(0, 20)).toEqual([]);
    },
    60_000 + count * 1_000,
  );
});

/** Plays a case, lets the agent work on, and counts how often each message stood in something that the model reads. */
async function problemIn(one: Case, session: HookSession, home: string): Promise<string | undefined> {
  const shown: string[] = [];
  const door =
    one.by === "itself"
      ? undefined
      : await answerHooksOf({
          dialect: dialectOf(one.host),
          session: session.session,
          env: { TILDONE_HOME: home },
          home,
        });
  try {
    await become(one.run, session);
    const texts: string[] = [];
    const say = async () => {
      const text = `message ${texts.length + 1} of ${session.session}.`;
      texts.push(text);
      await session.say({ type: "words.queue", words: { id: `w${texts.length}`, text, kind: "steer" } });
    };
    for (let index = 0; index < one.messages; index++) await say();

    const seen = await happen(one, session, home);
    if (SHOWN.includes(one.event)) shown.push(...seen);
    if (one.meanwhile === "you say one more") await say();
    const early = await deliveries(session);
    const lies = early.filter((id) => !shown.some((output) => output.includes(texts[Number(id.slice(1)) - 1]!)));
    if (lies.length > 0) return `${lies} delivered, says the log, and nothing was shown`;

    if (one.run === "held") {
      if (early.length > 0 && one.event !== "stop") return "a hold did not keep the message back";
      await session.say({ type: "human.unhold" });
    }
    for (let turn = 0; turn < 3; turn++) shown.push(...(await aTurn(session)));
    const counts = texts.map((text) => shown.filter((output) => output.includes(text)).length);
    if (counts.some((times) => times !== 1)) return `shown ${counts} times`;
    const told = await deliveries(session);
    return told.toSorted().join() === texts.map((_, at) => `w${at + 1}`).join() ? undefined : `the log says ${told}`;
  } finally {
    door?.close();
  }
}

const deliveries = async (session: HookSession): Promise<readonly string[]> =>
  (await session.log()).flatMap(({ event }) => (event.type === "words.delivered" ? event.ids : []));

/** What the model read in one more turn that you started. */
async function aTurn(session: HookSession): Promise<readonly string[]> {
  const outputs = [await session.prompt("go on"), await session.tell("post-tool", CALL)];
  for (let stops = 0; stops < 3; stops++) {
    const output = await session.stop();
    outputs.push(output);
    if (output === "") break;
    const { reason } = JSON.parse(output) as { reason: string };
    if (session.host === "gemini") outputs.push(await session.prompt(reason));
  }
  return outputs;
}

const BASH = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "u", tool_response: "a" };
const CALL = { ...BASH, tool_calls: [BASH] };

async function become(run: Case["run"], session: HookSession): Promise<void> {
  await session.prompt("do it");
  await session.write("one", "two");
  const isWorking = run === "working" || run === "held";
  if (run === "held") await session.say({ type: "human.hold", now: false });
  if (isWorking) return;
  if (run === "interrupted") {
    await session.prompt("no, wait"); // the turn before never came to its stop
    await session.stop();
    return;
  }
  if (run === "stopped") {
    await session.say({ type: "continuation.switch", on: false });
    await session.stop();
    await session.say({ type: "continuation.switch", on: true });
    return;
  }
  await session.say({ type: "human.hold", now: false });
  await session.stop();
  await session.say({ type: "human.unhold" });
  await session.tell("post-tool", CALL); // something that cannot wake it takes it up and parks it
}

/** What the host read of its event. */
async function happen(one: Case, session: HookSession, home: string): Promise<readonly string[]> {
  const { event, ends, meanwhile } = one;
  const read: string[] = [];
  const print = (output: string) => {
    if (ends === "finds its pipe closed") throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    if (ends === "is killed while it prints") throw new Killed("before");
    read.push(output);
    if (ends === "is killed after it printed") throw new Killed("after");
  };
  const config = join(home, "config.json");
  if (ends === "crashes before it prints") writeFileSync(config, '{ "nonsense": 1 }');
  const times = meanwhile === "the same event comes twice" && one.host === "codex" && event === "stop" ? 2 : 1;
  const fields = { ...CALL, ...FIELDS[event] };
  const tellOnce = () => {
    if (event === "prompt") return session.prompt("how far are you?", print);
    if (event === "prompt of the host") return session.prompt(WOKEN[one.host], print);
    if (event === "stop") return session.stop({}, print);
    return session.tell(event as EventName, fields, print);
  };
  await Promise.all(Array.from({ length: times }, tellOnce));
  rmSync(config, { force: true });
  return read;
}

const FIELDS: Partial<Record<Case["event"], object>> = {
  "session-start": { source: "resume" },
  "subagent-stop": { agent_id: "a1", agent_type: "task", last_assistant_message: "done" },
  failure: { error: "rate_limit", prompt_id: "p" },
  compaction: { trigger: "auto" },
  "session-end": { reason: "other" },
};

/** The host wakes the agent itself; on Gemini it never does. */
const WOKEN: Readonly<Record<Tabled, string>> = {
  "claude-code": "<task-notification> done",
  codex: "<subagent_notification> done",
  gemini: "how far are you?",
};
