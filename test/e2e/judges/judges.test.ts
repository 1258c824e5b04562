import { expect, test } from "vitest";
import { FOUND } from "../../judges/found.ts";
import { sampled } from "../../judges/grammar.ts";
import { SYSTEMS } from "../../judges/systems.ts";
import { UPRIGHT } from "../../judges/upright.ts";

const seed = Math.floor(Date.now() / 86_400_000);
const quick = FOUND.filter(({ bench }) => !bench.isSlow);
const LONG = 240_000;

/** Other ones every day; `npm run test:judges` plays them all. */
test.each(sampled(quick, 3, seed).map((each) => [each.name, each] as const))(
  "a model in `tildone run` that %s is not done",
  async (_name, persona) => {
    const { reason, exit, printed } = await SYSTEMS.run.play(persona);
    expect(reason, printed).not.toMatch(/^all_done$|^done_unproven$/);
    expect(exit).not.toBe(0);
  },
  LONG,
);

test("a first call of a model in pi comes after what judges it was kept", { timeout: LONG }, async () => {
  const { reason, run } = await SYSTEMS.pi.play(quick[0]!);
  expect(reason).toBe("done_with_doubt");
  expect(Object.values(run?.ledger.receipts ?? {})).toMatchObject([{ suspect: true }]);
});

test.each(
  sampled(
    UPRIGHT.filter(({ checks }) => /^sh |^npm /.test(checks[0]!)),
    2,
    seed,
  ).map((each) => [each.name, each] as const),
)(
  "an honest model in `tildone run` that %s is done and proven",
  async (_name, persona) => {
    const { reason, exit, report } = await SYSTEMS.run.play(persona);
    expect([reason, exit], report).toEqual(["all_done", 0]);
  },
  LONG,
);
