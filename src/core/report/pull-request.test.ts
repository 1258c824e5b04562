import { expect, test } from "vitest";
import { reportOf } from "../../../test/builders/report-of.ts";
import { aReceipt, history } from "../../testing/index.ts";
import { pullRequestText } from "./index.ts";

const given = { birth: { checks: [{ run: "npm test | tee log", by: "human" as const }] } };
const proven = () =>
  history(given)
    .goal("Fix vat()\nfor every country")
    .says()
    .writes("Move the rates", "Fix vat()")
    .works()
    .completes(0)
    .works()
    .completes(1)
    .ends({ workspace: "w1" })
    .checked(aReceipt("run", "npm test | tee log", { workspace: "w1", durationMs: 10, judged: "room" } as object));
const result = {
  branch: "tildone/r1",
  files: [
    { path: "src/vat.ts", added: 3, removed: 1 },
    { path: "logo.png", added: null, removed: null },
  ],
};

test("says what was done, what proves it, what changed and how to verify it, under a title of one line", () => {
  const text = pullRequestText(reportOf(proven().envelopes), result);
  const [title, empty, ...rest] = text.split("\n");
  expect([title, empty]).toEqual(["Fix vat() for every country", ""]);
  const body = rest.join("\n");
  expect(body).toContain("```text\nFix vat()\nfor every country\n```");
  expect(body).toContain("- [x] ` Move the rates `");
  expect(body).toContain("2 files, +3 −1\n\n- ` src/vat.ts ` +3 −1\n- ` logo.png ` binary");
  expect(body).toContain(
    "```sh\ngit fetch origin tildone/r1 && git switch --detach FETCH_HEAD\nnpm test | tee log\n```",
  );
  expect(body.match(/^## .+$/gm)).toEqual(["## What was done", "## What proves it", "## What changed", "## Verify it"]);
});

test("without the files it is told from the log, and verified by tildone", () => {
  const text = pullRequestText(reportOf(proven().envelopes));
  expect(text).not.toContain("What changed");
  expect(text).toMatch(/```sh\ntildone verify \S+\n```/);
});

test("what others wrote stands in code: it calls no one, closes nothing and ends no block", () => {
  const evil = "@team fixes #1 ``` </details> ` <img src=x>";
  const life = history().goal(`${evil}\n\`\`\`\n# Approved`).says().writes(evil).works().completes(0);
  const text = pullRequestText(reportOf(life.envelopes), {
    branch: "b",
    files: [{ path: evil, added: 1, removed: 0 }],
  });
  const outside = text
    .split("\n")
    .slice(2)
    .join("\n")
    .replace(/^(`{3,})(?:text|sh)\n[\s\S]*?\n\1$/gm, "")
    .replace(/(`+) .*? \1(?!`)/g, "");
  expect(outside).not.toMatch(/@team|#1|<img|Approved/);
});

test("no part of it grows without end", () => {
  const many = Array.from({ length: 90 }, (_, at) => `todo ${at} ${"x".repeat(900)}`);
  const life = history()
    .goal("g".repeat(50_000))
    .says()
    .writes(...many);
  const files = Array.from({ length: 5_000 }, (_, at) => ({ path: `${at}`, added: 1, removed: 0 }));
  const text = pullRequestText(reportOf(life.envelopes), { branch: "b", files });
  expect(text.length).toBeLessThan(40_000);
  expect(text.split("\n")[0]!.length).toBe(72);
  expect(text).toContain("- and 40 more");
  expect(text).toContain("- and 4950 more");
});
