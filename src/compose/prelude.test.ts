import { expect, test } from "vitest";
import { DEFAULTS } from "../core/continuation/index.ts";
import { NO_USAGE } from "../core/run/index.ts";
import { CAPABILITIES } from "../hosts/pi/capabilities.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createPrelude } from "./prelude.ts";

function aPrelude() {
  const clock = createFakeClock(1_000_000);
  const ends: string[] = [];
  const said: string[] = [];
  const prelude = createPrelude({
    config: { limits: DEFAULTS, budget: { tokens: 100 } },
    clock,
    cwd: "/",
    host: {
      name: "pi",
      capabilities: CAPABILITIES.print,
      endTurn: (_session, { how }) => void ends.push(how),
    },
    session: "s",
    say: (text) => void said.push(text),
  });
  const answer = (output: number) => prelude.heard({ type: "answer.seen", usage: { ...NO_USAGE, output }, calls: 1 });
  return { clock, ends, said, prelude, answer };
}

test("the budget of tokens ends the turn", async () => {
  const { prelude, answer, ends, said } = aPrelude();
  await prelude.heard({ type: "turn.started", turn: "t1" });
  await answer(40);
  await answer(40);
  expect(ends).toEqual([]);
  await answer(40);
  expect(ends).toHaveLength(1);
  expect(said.join()).toMatch(/token budget is spent/);
});

test("each turn has the whole budget", async () => {
  const { prelude, answer, ends } = aPrelude();
  for (const turn of ["t1", "t2", "t3"]) {
    await prelude.heard({ type: "turn.started", turn });
    await answer(60);
    await prelude.heard({ type: "turn.ended", turn, outcome: "completed" });
  }
  expect(ends).toEqual([]);
});

test.each([
  ["the turn ended", ({ heard }) => heard({ type: "turn.ended", turn: "t1", outcome: "completed" })],
  ["a run judges it, or the session is over", ({ over }) => over()],
] as const satisfies [string, (prelude: ReturnType<typeof createPrelude>) => unknown][])(
  "no timer is left when %s",
  async (_when, end) => {
    const { prelude, clock, ends } = aPrelude();
    await prelude.heard({ type: "turn.started", turn: "t1" });
    expect(clock.pending).toBeGreaterThan(0);
    await end(prelude);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(ends).toEqual([]);
  },
);
