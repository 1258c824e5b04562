import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { aReceipt, history } from "../../testing/index.ts";
import { markdownReport } from "../report/index.ts";
import type { Receipt } from "../run/index.ts";
import { proofsIn } from "./index.ts";

const proof: Receipt["proof"] = { where: "room", confined: true, tree: "tree:a:b", judge: "tree:c:d", command: "e" };
const given = { birth: { checks: [{ run: "npm test", by: "human" } as const] }, allowsCheck: () => true };

const checked = () =>
  history(given)
    .says()
    .writes({ text: "Build it", check: "make" })
    .works()
    .completes(0)
    .checked(
      aReceipt("t1", "make", { workspace: "w1", tail: "built\n", proof }),
      aReceipt("run", "npm test", { workspace: "w1", proof }),
    );
const finished = () => checked().ends({ workspace: "w1" });

test("each check's newest receipt, with its check and all of its output: todos first", () => {
  const { cases } = proofsIn(finished().envelopes);
  expect(cases.map(({ owner, index, text, check, receipt }) => [owner, index, text, check?.run, receipt.tail])).toEqual(
    [
      ["t1", 0, "Build it", "make", "built\n"],
      ["run", undefined, undefined, "npm test", expect.any(String)],
    ],
  );
});

test("what a todo proved that is no longer on the list is left out", () => {
  const run = checked().tell({ type: "todos.human_edit", edit: { action: "drop", indices: [0] } });
  expect(proofsIn(run.envelopes).cases.map(({ owner }) => owner)).toEqual(["run"]);
});

test("the report says in one line what proves a todo, and how to repeat it", () => {
  const run = finished();
  const { id } = proofsIn(run.envelopes).run;
  const text = markdownReport(reportOf(run.envelopes));
  expect(text).toContain(`- todo 0: \` make \` passed in a clean room. Repeat it: \` tildone verify ${id} --todo 0 \``);
  expect(text).toContain(`- the run: \` npm test \` passed in a clean room. Repeat it: \` tildone verify ${id} \``);
});
