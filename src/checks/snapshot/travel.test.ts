import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../machine/index.ts";
import { createGit, type Git } from "../workspace/git.ts";
import { createSnapshots } from "./create-snapshots.ts";
import { packTrees } from "./travel.ts";

const home = mkdtempSync(join(tmpdir(), "tildone-travel-"));
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("trees that are more than one file may hold are told apart from trees that are gone", async () => {
  const cwd = join(home, "project");
  const directory = join(home, "stores");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a"), "a");
  const git = createGit({ clock: systemClock(), env: { PATH: process.env.PATH, HOME: home }, timeoutMs: 60_000 });
  const full: Git = (at, args, more) =>
    args.includes("pack-objects") ? Promise.resolve({ status: "too_long" }) : git(at, args, more);
  const taken = await createSnapshots({ git, directory }).take(cwd);
  const trees = taken.status === "taken" ? [taken.snapshot.name.split(":")[1]!] : [];
  expect(await packTrees({ git, cwd, directory }, trees)).toBeInstanceOf(Buffer);
  expect(await packTrees({ git: full, cwd, directory }, trees)).toBe("too_large");
  expect(await packTrees({ git, cwd, directory }, ["0".repeat(40)])).toBe("not_kept");
});
