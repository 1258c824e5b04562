import { afterAll, expect, test } from "vitest";
import type { Trigger } from "../../../src/core/react/index.ts";
import { STOP, type StopReason } from "../../../src/core/reason/index.ts";
import { openRun, speak } from "../../../src/engine/index.ts";
import { type Call, createFakeClock, type FakeClock } from "../../../src/testing/index.ts";
import { type Answer, calls, fails, type InProcess, openInProcess, says } from "../pi/in-process.ts";
import { workOn, writeList } from "../pi/models.ts";

/** How each reason comes about inside pi, and what the person types there to continue. */
interface Situation {
  readonly answers: readonly Answer[];
  readonly env?: Readonly<Record<string, string>>;
  /** After the first prompt: commands of pi, or what another terminal says. */
  readonly stops?: readonly (string | Trigger)[];
  /** What continues it; a string is typed into pi. */
  readonly typed: readonly (string | Trigger)[];
}

const list = calls(writeList(1));
const ok = says("ok");
const block: Call = ["edit_todos", { action: "block", indices: [0], reason: "needs the key" }];
const complete: Call = ["edit_todos", { action: "complete", indices: [0] }];
const askFirst: Call = ["write_todos", { mode: "replace", todos: [{ text: "item 0", askFirst: true }] }];
const release: Trigger = { type: "todos.human_edit", edit: { action: "release", indices: [0] } };
const asks = says("Which of the two do you mean?");

const SITUATIONS: Partial<Record<StopReason, Situation>> = {
  disabled: { answers: [list, calls(block), ok], stops: ["/tildone off"], typed: ["/unhold"] },
  held: { answers: [list, calls(block), ok], stops: ["/hold"], typed: ["/unhold"] },
  no_progress: { answers: [list, ok, ok, ok, ok], typed: ["/unhold"] },
  question: { answers: [list, asks, asks], typed: ["the first of them"] },
  blocked: { answers: [list, calls(block), ok], typed: ["the key is in .env"] },
  awaiting_release: { answers: [calls(askFirst), ok], typed: [release, "/unhold"] },
  done_with_doubt: { answers: [list, calls(complete), ok], typed: ["do it again, properly"] },
  provider_error: { answers: [list, fails("401 this key is not valid")], typed: ["/unhold"] },
  context_full: { answers: [list, fails("prompt is too long")], typed: ["/unhold"] },
  refused: { answers: [list, fails("content policy")], typed: ["/unhold say it differently"] },
  budget_tokens: {
    answers: [list, ok, ok],
    env: { TILDONE_MAX_TOKENS: "1" },
    typed: ["/extend tokens=1000000"],
  },
  interrupted: {
    answers: [list, calls(block), ok],
    stops: [{ type: "human.interrupt", how: "key" }],
    typed: ["/unhold"],
  },
};

/** Not reached inside pi, over with the run, or the same as another row there (a rate limit is a failure of the provider). */
const ELSEWHERE: readonly StopReason[] = [
  ...(["all_done", "done_unproven", "done_accepted"] as const),
  ...([
    "read_only",
    "host_failed",
    "host_limit",
    "rate_limited",
    "no_todos",
    "budget_cost",
    "budget_minutes",
    "budget_continuations",
  ] as const),
];

const rows: string[] = [];
afterAll(() => console.log(["reason | requests | typed into pi", ...rows].join("\n")));

test("every reason has a situation, here or elsewhere", () =>
  expect([...Object.keys(SITUATIONS), ...ELSEWHERE].sort()).toEqual(Object.keys(STOP).sort()));

test.each(Object.keys(SITUATIONS) as StopReason[])("%s: what is typed into pi continues it", async (reason) => {
  const { answers, env = {}, stops = [], typed } = SITUATIONS[reason]!;
  const clock = createFakeClock(1_000_000);
  await using pi = await openInProcess({ mode: "rpc", env, clock });
  pi.faux.setResponses([...answers]);
  await pi.session.prompt("go");
  await pi.session.waitForIdle();
  for (const one of stops) await type(pi, clock, one);
  const stopped = runOf(pi).ledger.decision;
  expect(stopped?.type === "stop" ? stopped.reason : stopped).toBe(reason);
  const before = pi.faux.state.callCount;
  pi.faux.setResponses([calls(...workOn(0)), says("done")]);
  for (const one of typed) await type(pi, clock, one);
  await done(pi);
  const made = pi.faux.state.callCount - before;
  rows.push(`${reason} | ${made} | ${typed.map((one) => (typeof one === "string" ? one : one.type)).join(", ")}`);
  expect(made, JSON.stringify(runOf(pi).ledger.decision)).toBeGreaterThan(0);
  expect(runOf(pi).plan.todos[0]!.status).toBe("completed");
});

async function type(pi: InProcess, clock: FakeClock, one: string | Trigger): Promise<void> {
  if (typeof one === "string") await pi.session.prompt(one);
  else speak(pi.store.log, pi.run()!.run, one, clock.now());
  await clock.advance(1_000); // a resident engine looks at what others said
  await pi.session.waitForIdle();
}

const runOf = (pi: InProcess) => openRun(pi.store.log, pi.run()!.run).run;

async function done(pi: InProcess): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (runOf(pi).plan.todos[0]!.status !== "completed" && performance.now() < deadline)
    await new Promise((turn) => setImmediate(turn));
  await pi.session.waitForIdle();
}
