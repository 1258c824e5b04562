import { expect, test } from "vitest";
import { note, ok } from "../hooks/index.ts";
import { standingLine } from "./examine-hosts.ts";

test.each([
  ["the version that was tried", ok("qwen: version 0.24.4"), "qwen 0.24.4: installed, set up, works"],
  ["another one", note("qwen: version 0.25.0; tried with 0.24.4"), "qwen 0.25.0: installed, set up, works"],
  ["an unknown one", ok("qwen: installed"), "qwen: installed, set up, works"],
])("one line names the whole version: %s", (_what, finding, says) => {
  const standing = { host: "qwen", isInstalled: true, isSetUp: true, works: true } as const;
  expect(standingLine({ ...standing, findings: [finding, ok("qwen: 8 hooks answer")] })).toEqual(ok(says));
});
