import { expect, test } from "vitest";
import { aFirstResult } from "../../../test/builders/a-first-result.ts";
import { aReceipt, type History, history } from "../../testing/index.ts";
import { checkRemarks } from "../words/index.ts";

const CHECK = { run: "make", by: "human" } as const;
const begun = (): History =>
  history({ birth: { checks: [CHECK] } })
    .says()
    .writes("a")
    .works();
const said = ({ effects }: History): readonly string[] =>
  effects.flatMap((effect) => (effect.type === "human.tell" ? [effect.notice] : []));
const WHY = "bubblewrap is not installed. Install it: `sudo apt install bubblewrap`.";
const unconfined = { where: "room", confined: false, command: "c", unconfined: WHY } as const;

test("a check that works only in the project is said once, and told again to those who ask", () => {
  const first = aFirstResult(CHECK, { decides: "place" });
  const run = begun().tell({ type: "check.tried", first }).tell({ type: "check.tried", first });
  expect(said(run)).toEqual([expect.stringContaining('The check "make" passed in your project before the work began')]);
  expect(checkRemarks(run.run)).toEqual(said(run));
});

test("what keeps checks from being confined is said once, whether it shows before the work or after it", () => {
  const receipt = aReceipt("run", "make", { proof: unconfined });
  const early = begun().tell({ type: "check.tried", first: aFirstResult(CHECK, { proof: unconfined }) });
  for (const run of [early, begun()]) {
    run.completes(0).checked(receipt);
    expect(said(run)).toEqual([`Checks run in a clean copy of your project, but not confined: ${WHY}`]);
    expect(checkRemarks(run.run)).toEqual(said(run));
  }
});
