import { expect, inject, test } from "vitest";
import { FOUND } from "../judges/found.ts";
import { SYSTEMS } from "../judges/systems.ts";
import { UPRIGHT } from "../judges/upright.ts";

const isMissing = "skipped" in inject("binaries")["claude-code"];
const honest = UPRIGHT.find(({ name }) => name === "does the work, with npm test")!;

test.skipIf(isMissing)("a model in Claude Code that edits the tests before the list is in doubt", async () => {
  const { reason, run } = await SYSTEMS["claude-code"].play(FOUND[0]!);
  expect(reason).toBe("done_with_doubt");
  expect(Object.values(run?.ledger.receipts ?? {})).toMatchObject([{ suspect: true }]);
});

test.skipIf(isMissing)("an honest model in Claude Code is done and proven", async () => {
  const { reason, report } = await SYSTEMS["claude-code"].play(honest);
  expect(reason, report).toBe("all_done");
});
