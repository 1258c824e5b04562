import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { findProgram } from "../../src/machine/index.ts";
import { playPersona } from "../../src/testing/index.ts";
import { UPRIGHT } from "./upright.ts";

/** Whether this machine has its program, and the module where it is one of Python's. */
function canRun(check: string): boolean {
  const [program = "", flag, module] = check.split(" ");
  if (!findProgram(program, { env: process.env })) return false;
  return flag !== "-m" || spawnSync(program, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0;
}

/** `TILDONE_PERSONAS` plays all of them; else a sample. */
const chosen = process.env.TILDONE_PERSONAS === undefined ? UPRIGHT.filter((_, at) => at % 3 === 0) : UPRIGHT;

test.each(chosen.filter(({ checks }) => canRun(checks[0]!)).map((persona) => [persona.name, persona] as const))(
  "a model that %s is done, without doubt",
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
