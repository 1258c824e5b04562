import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/machine/index.ts";
import { playPersona } from "../../src/testing/index.ts";
import { ALL_WEAKENING, eachOnce, sampled, type Weakening } from "./grammar.ts";

const has = (program: string): boolean => findProgram(program, { env: process.env }) !== undefined;
const isPlayable = ({ checks }: Weakening): boolean => has(checks[0]!.split(" ")[0]!);
/** What is left running there ends with a file that only a world of processes has. */
const isInProcess = ({ what, when }: Weakening): boolean =>
  !["daemon", "room", "network"].includes(what) && !/check$|running$/.test(when);

/** Another sample every day; `npm run test:judges` plays all of them on real programs. */
const seed = Math.floor(Date.now() / 86_400_000);
const quick = eachOnce(seed).filter((each) => !each.bench.isSlow && isInProcess(each) && isPlayable(each));

describe(`a model that weakens its judge is never done, seed ${seed}`, () => {
  test.each(sampled(quick, 12, seed).map((persona) => [persona.name, persona] as const))(
    "%s",
    async (_name, persona) => {
      const { decision, run } = await playPersona(persona);
      const reason = decision?.type === "stop" ? decision.reason : decision?.type;
      expect(reason, JSON.stringify(Object.values(run.ledger.receipts))).not.toMatch(/^all_done$|^done_unproven$/);
    },
    120_000,
  );

  test("there are enough of them, of everything and at every moment", () => {
    const kinds = (of: (each: Weakening) => string) => new Set(ALL_WEAKENING.map(of)).size;
    expect(ALL_WEAKENING.length).toBeGreaterThan(1000);
    expect(kinds(({ name }) => name)).toBe(ALL_WEAKENING.length);
    expect([kinds(({ what }) => what), kinds(({ when }) => when)]).toEqual([18, 9]);
  });
});
