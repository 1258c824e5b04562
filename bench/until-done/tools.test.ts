import { expect, test } from "vitest";
import type { OwnItem } from "../../test/hosts/hosts.ts";
import { shownBy } from "./tools.ts";

const item = (status: OwnItem["status"]): OwnItem => ({ text: status, status });

test.each<[items: readonly OwnItem[], exit: number | null, expected: ReturnType<typeof shownBy>]>([
  [[], 0, undefined],
  [[item("completed"), item("cancelled")], 0, { state: "done", words: "exit 0" }],
  [[item("completed"), item("pending")], 0, { state: "not done", words: "exit 0, 1 of 2 open" }],
  [[item("in_progress")], 1, { state: "not done", words: "exit 1, 1 of 1 open" }],
  [[item("completed")], 1, { state: "not done", words: "exit 1" }],
  [[item("completed")], null, { state: "not done", words: "killed" }],
])("a list of %o and exit code %s", (items, exit, expected) => expect(shownBy(items, exit)).toEqual(expected));
