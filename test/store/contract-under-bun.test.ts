import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { STORE_CONTRACT } from "../../src/testing/index.ts";
import type { Verdict } from "./contract-under-bun.ts";

const bun = resolve(import.meta.dirname, "../../node_modules/.bin/bun");
const runner = resolve(import.meta.dirname, "contract-under-bun.ts");

test("under Bun, bun:sqlite keeps every clause, and memory all that do not need a second process", () => {
  const verdicts = execFileSync(bun, [runner], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Verdict);
  const of = (subject: Verdict["subject"]) => verdicts.filter((verdict) => verdict.subject === subject);
  const kept = (subject: Verdict["subject"]) => STORE_CONTRACT.map(({ name }) => ({ subject, name, status: "kept" }));

  expect(of("bun:sqlite")).toEqual(kept("bun:sqlite"));
  expect(of("memory").filter(({ status }) => status === "broken")).toEqual([]);
  expect(of("memory").filter(({ status }) => status === "skipped")).toHaveLength(4);
  expect(of("memory")).toHaveLength(STORE_CONTRACT.length);
});
