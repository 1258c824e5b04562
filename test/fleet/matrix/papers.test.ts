import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run as runCommand } from "../../../src/cli/index.ts";
import { fakeIo } from "../../builders/fake-io.ts";
import { openWorld, slowly } from "../fleet-world.ts";

test("a finished run has its report, and with --pr a description with what its result changed", async () => {
  await using world = await openWorld();
  world.model.play(slowly(2, 10));
  world.work("a1");
  const asked = { goal: "Make two files\nas @team wants", checks: ["test -f file-1.txt"] };
  const [plain, described] = [await world.submit(asked), await world.submit({ ...asked, pr: true })];
  for (const run of [plain, described])
    await world.until(`the end of ${run}`, async () => (await world.ledger.get(run))?.state === "finished");
  const [without, papers] = [await world.ledger.papers(plain), await world.ledger.papers(described)];
  expect([without.pr, without.report?.startsWith(`# Run ${plain}`)]).toEqual([undefined, true]);
  expect(papers.report).toContain(`# Run ${described}`);
  expect(papers.pr).toMatch(/^Make two files as @team wants\n\n```text\nMake two files\nas @team wants\n```\n/);
  expect(papers.pr).toContain("2 files, +2 −0\n\n- ` file-0.txt ` +1 −0\n- ` file-1.txt ` +1 −0");
  expect(papers.pr).toContain(`git fetch origin tildone/${described} && git switch --detach FETCH_HEAD`);
  expect(papers.pr).toContain("` test -f file-1.txt ` passed");

  const home = join(world.root, "desk");
  mkdirSync(home);
  const told = async (...argv: string[]) => {
    const env = { TILDONE_HOME: join(home, "t"), PATH: process.env.PATH };
    const { io, out, err } = fakeIo({ env, cwd: home, home, now: Date.now, databaseUrl: world.url });
    expect([await runCommand(argv, io), err]).toEqual([0, []]);
    return `${out.join("\n")}\n`;
  };
  expect(await told("report", described, "--pr")).toBe(papers.pr);
  const drawn = await told("report", plain, "--pr");
  expect([drawn.split("\n")[0], drawn.includes("What changed")]).toEqual(["Make two files as @team wants", false]);
}, 240_000);
