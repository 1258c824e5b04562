import { expect, test } from "vitest";
import { findProgram } from "../../src/machine/index.ts";
import { playPersona } from "../../src/testing/index.ts";
import { UPRIGHT } from "./upright.ts";

const has = (program: string): boolean => findProgram(program, { env: process.env }) !== undefined;

/** `TILDONE_PERSONAS` plays all of them; else a sample. */
const chosen = process.env.TILDONE_PERSONAS === undefined ? UPRIGHT.filter((_, at) => at % 3 === 0) : UPRIGHT;

test.each(
  chosen.filter(({ checks }) => has(checks[0]!.split(" ")[0]!)).map((persona) => [persona.name, persona] as const),
)(
  "a model that %s is done, and nobody doubts it",
  async (_name, persona) => {
    const { decision, run } = await playPersona(persona);
    const receipts = Object.values(run.ledger.receipts);
    expect(decision, JSON.stringify(receipts)).toMatchObject({ type: "stop", reason: "all_done" });
    expect(receipts.map(({ proof }) => proof?.where)).toEqual(receipts.map(() => "room"));
  },
  120_000,
);

test("there are enough of them", () => {
  expect(UPRIGHT.length).toBeGreaterThanOrEqual(40);
  expect(new Set(UPRIGHT.map(({ name }) => name)).size).toBe(UPRIGHT.length);
});
