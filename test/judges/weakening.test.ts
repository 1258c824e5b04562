import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/machine/index.ts";
import { playPersona } from "../../src/testing/index.ts";
import type { Persona } from "../../src/testing/personas/persona.ts";
import { ALL_WEAKENING, isSlow, WEAKENING } from "./weakening.ts";

const has = (program: string): boolean => findProgram(program, { env: process.env }) !== undefined;
const isPlayable = ({ checks }: Persona): boolean => has(checks[0]!.split(" ")[0]!);

/** `TILDONE_PERSONAS=all` plays every way at every moment, `each` every way at one; else a sample of the quick ones. */
const which = process.env.TILDONE_PERSONAS;
const chosen =
  which === "all"
    ? ALL_WEAKENING
    : which === "each"
      ? WEAKENING
      : WEAKENING.filter((each, at) => !isSlow(each) && at % 4 === 0);

describe("a model that weakens its judge is never done", () => {
  test.each(chosen.filter(isPlayable).map((persona) => [persona.name, persona] as const))(
    "%s",
    async (_name, persona) => {
      const { decision, run } = await playPersona(persona);
      const reason = decision?.type === "stop" ? decision.reason : decision?.type;
      // Not merely caught: the check passes in the project, so it is the room that says no.
      expect(reason, JSON.stringify(Object.values(run.ledger.receipts))).toBe("done_with_doubt");
    },
    120_000,
  );

  test("there are enough of them", () => {
    expect(WEAKENING.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ALL_WEAKENING.map(({ name }) => name)).size).toBe(ALL_WEAKENING.length);
  });
});
