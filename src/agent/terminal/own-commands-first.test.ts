import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { ownCommandsFirst } from "./own-commands-first.ts";

const OURS = new Set(["hold", "help", "calls"]);
const { signal } = new AbortController();

async function offered(prefix: string, names: readonly string[]): Promise<readonly string[] | undefined> {
  const pi = {
    getSuggestions: async () => ({ prefix, items: names.map((name) => ({ value: name, label: name })) }),
  } as unknown as AutocompleteProvider;
  const found = await ownCommandsFirst(OURS)(pi).getSuggestions([prefix], 0, prefix.length, { signal });
  return found?.items.map(({ value }) => value);
}

test("under a slash our commands come first, in our order, and the rest as it was", async () => {
  expect(await offered("/", ["settings", "model", "calls", "hold", "help"])).toEqual([
    "help",
    "hold",
    "calls",
    "settings",
    "model",
  ]);
});

test("with letters the better match of ours stays first", async () => {
  expect(await offered("/h", ["hotkeys", "hold", "help"])).toEqual(["hold", "help", "hotkeys"]);
});

test("files and arguments are left alone", async () => {
  expect(await offered("@h", ["zeta", "help"])).toEqual(["zeta", "help"]);
  expect(await offered("/model h", ["zeta", "help"])).toEqual(["zeta", "help"]);
});
