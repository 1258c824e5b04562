import { expect, test } from "vitest";
import { fakeIo } from "../../test/builders/fake-io.ts";
import type { Repeated } from "../checks/index.ts";
import type { Receipt } from "../core/run/index.ts";
import { aReceipt } from "../testing/index.ts";
import { repeatAll } from "./repeat-all.ts";

const check = { run: "make", by: "human" } as const;
const REPRODUCED: Repeated = { status: "reproduced", tail: "", confined: true, differs: [], notes: [] };

async function said(outcome: Repeated, given: Partial<Receipt> = {}) {
  const { io, out } = fakeIo({ home: "/", cwd: "/" });
  const cases = [{ owner: "run", receipt: aReceipt("run", "make", given), check, declared: [] }];
  const checks = { repeat: async () => outcome };
  const code = await repeatAll({ run: "r1", cases, cwd: "/", checks, isJson: false }, io);
  return `${out.join("\n").split("\n")[1]} (${code})`;
}

test.each<[string, Repeated, Partial<Receipt>]>([
  ["✓ the run: make - reproduced (0)", REPRODUCED, {}],
  [
    "✓ the run: make - reproduced: it fails in the room (exit 1), as recorded (0)",
    { ...REPRODUCED, ended: "exit 1" },
    {},
  ],
  ["✗ the run: make - not reproduced: exit 1 (1)", { ...REPRODUCED, status: "differs", ended: "exit 1" }, {}],
  [
    "✗ the run: make - ran in place, cannot be repeated here: its files were not kept (1)",
    { status: "in_place", problem: "its files were not kept" },
    {},
  ],
  [
    "✗ the run: make - not reproduced: The product of this receipt is no longer kept (1)",
    { status: "not_kept", problem: "The product of this receipt is no longer kept" },
    {},
  ],
  ["✗ the run: make - not reproduced: it failed when it ran (1)", REPRODUCED, { status: "failed" }],
  [
    "✗ the run: make - not reproduced: the agent ran it itself, which proves nothing (1)",
    REPRODUCED,
    { status: "observed" },
  ],
])("%s", async (expected, outcome, given) => expect(await said(outcome, given)).toBe(expected));
