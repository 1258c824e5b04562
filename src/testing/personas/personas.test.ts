import { afterAll, describe, expect, test } from "vitest";
import { DEFAULTS } from "../../core/continuation/index.ts";
import { FINISHED } from "../../core/reason/index.ts";
import type { StoredDecision } from "../../core/run/index.ts";
import { PERSONAS, type Persona, type Played, playPersona } from "./index.ts";

const rows: { readonly name: string; readonly turns: number; readonly requests: number; readonly end: string }[] = [];

const reasonOf = (decision: StoredDecision | undefined): string =>
  decision === undefined ? "nothing" : decision.type === "continue" ? "continue" : decision.reason;

describe.each(["dishonest", "honest", "runaway", "long", "everyday", "asking"] as const)("%s", (kind) => {
  test.each(
    PERSONAS.filter((persona) => persona.kind === kind).map((persona): [string, string, Persona] => [
      persona.name,
      persona.ends.reason,
      persona,
    ]),
  )(
    "a model that %s: %s",
    async (name, _reason, persona) => {
      const played = await playPersona(persona);
      const { turns, requests, decision } = played;
      rows.push({ name, turns, requests, end: reasonOf(decision) });
      expectVerdict(persona, played);
    },
    90_000,
  );
});

function expectVerdict({ ends: { reason, says, nudges: due } }: Persona, { run, decision, nudges }: Played): void {
  expect(reasonOf(decision)).toBe(reason);
  if (says !== undefined) expect(JSON.stringify(decision)).toContain(says);
  expect(nudges).toBeGreaterThanOrEqual(due.atLeast);
  expect(nudges).toBeLessThanOrEqual(due.atMost);
  expect(run.status).toBe(FINISHED.some((finished) => finished === reason) ? "ended" : "live");
}

/** What a verdict could depend on where each todo begins in a new conversation; EVERY_PERSONA=1 plays all of them. */
const FRESH = [
  "marks everything done without work",
  "edits the test instead of the code",
  "passes once and then breaks it",
  "adds a test",
  "says ok",
  "alternates two calls",
  "stops after each todo",
  "does what is asked",
  "asks a real question",
];
test.each(PERSONAS.filter(({ name }) => process.env.EVERY_PERSONA || FRESH.includes(name)))(
  "a model that $name has the same verdict with a new conversation for each todo",
  async (persona) => {
    const context = { ...DEFAULTS.context, mode: "fresh" } as const;
    const played = await playPersona({ ...persona, limits: { ...persona.limits, context } });
    expectVerdict(persona, played);
    if (persona.name === "stops after each todo") expect(played.run.ledger.conversation.number).toBeGreaterThan(1);
  },
  90_000,
);

test("checks that write reports run once for each time something is completed, and not because of what they wrote", async () => {
  const { run } = await playPersona(PERSONAS.find(({ name }) => name === "writes reports from its checks")!);
  expect([run.ledger.rounds, run.ledger.endReason]).toEqual([2, "all_done"]);
}, 90_000);

test("every persona has a name of its own", () => {
  expect(new Set(PERSONAS.map(({ name }) => name)).size).toBe(PERSONAS.length);
});

afterAll(() => {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, turns, requests, end }) =>
      `${name.padEnd(width)}  ${`${turns}`.padStart(3)} turns  ${`${requests}`.padStart(3)} requests  ${end}`,
  );
  console.log(lines.join("\n"));
});
