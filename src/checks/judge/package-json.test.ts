import { expect, test } from "vitest";
import { mergePackageJson } from "./package-json.ts";

const merged = (before: object, after: object) => {
  const { text, changed } = mergePackageJson(JSON.stringify(before), JSON.stringify(after));
  return { ...(JSON.parse(text) as object), changed };
};

test("a package may be added to a workspace, and none be left out of it", () => {
  expect(merged({ workspaces: ["a", "b"] }, { workspaces: ["a", "c"] })).toEqual({
    workspaces: ["a", "b", "c"],
    changed: ["workspaces"],
  });
  expect(merged({ workspaces: ["p/*"] }, { workspaces: ["p/*", "!p/b"] })).toMatchObject({ workspaces: ["p/*"] });
  expect(merged({ workspaces: ["a"] }, { workspaces: ["a", "b"] }).changed).toEqual([]);
});
