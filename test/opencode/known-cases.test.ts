import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Case } from "./case.ts";
import { DEFECTS } from "./defects.ts";
import { openFakeOpenCode } from "./fake-opencode.ts";
import { GOING_ON } from "./going-on.ts";
import { REPORTS } from "./reports.ts";
import { WHO_AND_WHEN } from "./who-and-when.ts";

// What is known to have gone wrong wherever agents in OpenCode are told to continue, and every case that users of such things met.
const EDGE_CASES = { ...GOING_ON, ...WHO_AND_WHEN };

function play(cases: Readonly<Record<string, Case>>): void {
  for (const [title, one] of Object.entries(cases))
    test(title, async () => {
      if (typeof one !== "function") {
        expect(readFileSync(one.in, "utf8")).toContain(one.test);
        return;
      }
      const fake = await openFakeOpenCode();
      try {
        await one(fake);
      } finally {
        await fake.close();
      }
    });
}

describe("defects that are not repeated", () => play(DEFECTS));
describe.each(Object.entries(EDGE_CASES))("%s", (_group, cases) => play(cases));

describe("the tables are whole", () => {
  test("every defect and every case has its row", () => {
    const rows = Object.values(EDGE_CASES).map((cases) => Object.keys(cases).length);
    expect([Object.keys(DEFECTS).length, rows]).toEqual([9, [10, 8, 7, 6, 7, 5, 6, 4, 4, 3, 7, 4, 10]]);
  });
});

describe("what people reported", () => {
  for (const [rule, shown] of Object.entries(REPORTS))
    if (typeof shown !== "string") play({ [rule]: shown });
    else
      test(`${rule}: ${shown}`, () => {
        expect(Object.values(EDGE_CASES).flatMap((cases) => Object.keys(cases))).toContain(shown);
      });
});
