import { expect, test } from "vitest";
import { createSessionTree } from "./session-tree.ts";

test("descendants of any depth belong to their root; a parent is asked for once", async () => {
  const asked: string[] = [];
  const tree = createSessionTree(async (session) => {
    asked.push(session);
    return session === "child" ? "root" : undefined;
  });
  tree.learn("grandchild", "child");
  expect(await tree.rootOf("grandchild")).toBe("root");
  expect(await tree.rootOf("grandchild")).toBe("root");
  expect(asked).toEqual(["child", "root"]);
});

test("who works below a root", async () => {
  const tree = createSessionTree(async () => undefined);
  tree.learn("child", "root");
  tree.learn("other", undefined);
  for (const session of ["root", "child", "other"]) tree.setBusy(session, true);
  expect(await tree.busyBelow("root")).toBe(1);
  tree.setBusy("child", false);
  expect(await tree.busyBelow("root", ["child"])).toBe(1); // told by another event
  expect(await tree.busyBelow("root")).toBe(0);
});

test("what could not be read is asked again", async () => {
  let fails = true;
  const tree = createSessionTree(async () => {
    if (fails) throw new Error("gone");
    return undefined;
  });
  await expect(tree.rootOf("s")).rejects.toThrow("gone");
  fails = false;
  expect(await tree.rootOf("s")).toBe("s");
});
