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

test.each(["setup.cfg", "pyproject.toml", "tox.ini"])(
  "a link in the place of %s leads nowhere in a room",
  async (name) => {
    const project: Entries = new Map([[name, { mode: "120000", oid: "/elsewhere" }]]);
    const added = await composed("python3 -m pytest", snapshot({}, { project }));
    expect([added.leftOut, added.entries.has(name)]).toEqual([[name], false]);
  },
);

test("a file whose judge is part of it is put back where a link stands now", async () => {
  const before = snapshot({ "setup.cfg": "[metadata]\nname = a\n", "test_a.py": "" });
  const project: Entries = new Map([...before.project, ["setup.cfg", { mode: "120000", oid: "/elsewhere" }]]);
  const plan = await composed("python3 -m pytest", snapshot({}, { project }), before);
  expect([plan.restored, plan.entries.get("setup.cfg")]).toEqual([["setup.cfg"], before.project.get("setup.cfg")]);
});

test.each([
  ["1.0.0", "changed", { renewed: [], unrestored: ["node_modules/vitest"] }],
  ["1.0.1", "changed", { renewed: ["node_modules/vitest"], unrestored: [] }],
  ["1.0.1", "same", { renewed: [], unrestored: [] }],
])("a lock file with version %s and a package that is %s", async (version, unit, expected) => {
  const state = (locked: string, vitest: string) =>
    snapshot(
      { "package-lock.json": JSON.stringify({ packages: { "node_modules/vitest": { version: locked } } }) },
      { large: [{ path: "node_modules", units: { "node_modules/vitest": vitest, "node_modules/vite": "same" } }] },
    );
  expect(await composed("npx vitest run", state(version, unit), state("1.0.0", "same"))).toMatchObject(expected);
});
