import { commandLine, firstKey } from "../../src/core/continuation/index.ts";
import type { FirstResult } from "../../src/core/run/index.ts";
import type { Check } from "../../src/core/todo/index.ts";

/** What a check said of the files from before the work. */
export const aFirstResult = (check: Check, given: Partial<FirstResult> = {}): FirstResult => ({
  key: firstKey(check),
  command: commandLine(check),
  status: "failed",
  exit: 1,
  durationMs: 5,
  digest: "digest",
  tail: "",
  proof: { where: "room", confined: true, tree: "tree", judge: "tree", command: "command" },
  decides: "room",
  at: 0,
  ...given,
});
