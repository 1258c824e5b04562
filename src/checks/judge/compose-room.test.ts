import { expect, test } from "vitest";
import type { Entries, Snapshot } from "../snapshot/index.ts";
import { composeRoom } from "./compose-room.ts";

const LIB = "pub fn sum() -> i32 {\n    0\n}\n\n#[cfg(test)]\nmod tests {\n    fn adds() {}\n}\n";

/** Contents are their own names. */
const files = (given: Readonly<Record<string, string>>): Entries =>
  new Map(Object.entries(given).map(([path, oid]) => [path, { mode: "100644", oid }]));

function snapshot(project: Readonly<Record<string, string>>, more: Partial<Snapshot> = {}): Snapshot {
  const ignored = files({ "target/debug/deps/sum": "built", ".env": "x" });
  return {
    name: "tree:1",
    root: "/project",
    prefix: "",
    project: files(project),
    ignored,
    large: [],
    empty: [],
    note: {},
    ...more,
  };
}

const contents = {
  read: async ({ oid }: { readonly oid: string }) => Buffer.from(oid),
  write: async (content: Buffer) => content.toString(),
};

const composed = async (run: string, after: Snapshot, before = snapshot({ "Cargo.toml": "", "src/lib.rs": LIB })) => {
  const request = {
    before,
    after,
    check: { run, by: "human" as const },
    protect: [],
    declared: [],
    judge: "old" as const,
  };
  const plan = await composeRoom(request, contents);
  if (!plan) throw new Error("there is no plan");
  return plan;
};

test("what a build tool would believe by its times is not in the room, small or large", async () => {
  const work = { "Cargo.toml": "", "src/lib.rs": LIB.replace("0", "1") };
  const small = await composed("cargo test", snapshot(work));
  expect([...small.entries.keys()].sort()).toEqual([".env", "Cargo.toml", "src/lib.rs"]);
  const large = [{ path: "target", units: {} }];
  const linked = await composed("cargo test", snapshot(work, { ignored: files({}), large }));
  expect(linked).toMatchObject({ unlinked: ["target"], provided: [] });
  const plain = await composed("sh run.sh target/debug/sum", snapshot(work));
  expect(plain.entries.has("target/debug/deps/sum")).toBe(true);
  const other = await composed("sh run.sh", snapshot(work, { ignored: files({}), large }));
  expect(other).toMatchObject({ unlinked: [], provided: ["target"] });
});

test("tests inside the work are as they were, and a link holds none", async () => {
  const work = LIB.slice(0, LIB.indexOf("#")).replace("0", "1");
  const plan = await composed("cargo test", snapshot({ "Cargo.toml": "", "src/lib.rs": work }));
  expect(plan.restored).toEqual(["src/lib.rs (tests)"]);
  expect(plan.entries.get("src/lib.rs")?.oid).toBe(`${work.trimEnd()}\n\n${LIB.slice(LIB.indexOf("#"))}`);
  const project: Entries = new Map([["src/lib.rs", { mode: "120000", oid: "/elsewhere" }]]);
  const linked = await composed("cargo test", snapshot({}, { project }));
  expect(linked.entries.get("src/lib.rs")).toMatchObject({ mode: "100644" });
  expect(linked.entries.get("src/lib.rs")?.oid).toContain("mod tests");
});
