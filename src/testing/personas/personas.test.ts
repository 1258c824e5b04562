import { afterAll, describe, expect, test } from "vitest";
import { FINISHED } from "../../core/reason/index.ts";
import type { StoredDecision } from "../../core/run/index.ts";
import { PERSONAS, type Persona, playPersona } from "./index.ts";

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
    async (name, reason, persona) => {
      const { run, decision, turns, nudges, requests } = await playPersona(persona);
      rows.push({ name, turns, requests, end: reasonOf(decision) });
      expect(reasonOf(decision)).toBe(reason);
      if (persona.ends.says !== undefined) expect(JSON.stringify(decision)).toContain(persona.ends.says);
      expect(nudges).toBeGreaterThanOrEqual(persona.ends.nudges.atLeast);
      expect(nudges).toBeLessThanOrEqual(persona.ends.nudges.atMost);
      expect(run.status).toBe(FINISHED.some((finished) => finished === reason) ? "ended" : "live");
    },
    90_000,
  );
});

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
