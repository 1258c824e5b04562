import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { submitGoal } from "../../../src/fleet/index.ts";
import { scripted } from "../../../src/hosts/claude-code/scripted.ts";
import build from "../../e2e/build.ts";
import { binaryOf, programsOf } from "../../hosts/binaries.ts";
import { hanging, mainRequests, NEVER, type Scripted, stepwise, textOf, texts, turns } from "../../hosts/script.ts";
import { useWorld } from "../use-world.ts";

const fleet = useWorld();
const { becomes } = fleet;
beforeAll(build, 300_000); // its hooks are the shipped ones

const { ours, shell } = scripted.tools();
const host: Scripted = {
  shell,
  list: (count, done) =>
    done === 0
      ? ours("write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) })
      : ours("edit_todos", { action: "complete", indices: [done - 1] }),
};

/** A machine on which Claude Code is installed, and tildone in it. */
function work(id: string) {
  const home = join(fleet.world.root, id);
  const place = { home, project: home, tmp: join(home, "tmp"), url: fleet.world.model.url, adapter: "" };
  mkdirSync(place.tmp, { recursive: true });
  for (const [path, text] of Object.entries(scripted.files(place))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const shipped = (name: string) => [process.execPath, resolve("bin", name)];
  const programs = { runner: shipped("tildone-runner.js"), tildone: shipped("tildone.js") };
  const PATH = `${programsOf("claude-code")}:${dirname(process.execPath)}:${process.env.PATH}`;
  const variables = { ...scripted.env(place), PATH };
  execFileSync(process.execPath, [resolve("bin/tildone.js"), "install", "claude-code"], {
    env: { ...variables, HOME: home, TILDONE_HOME: join(home, "tildone") },
    cwd: home,
  });
  return fleet.world.work(id, { programs }, variables);
}

test("a run of an installed host continues on another machine, in a new session with the briefing", {
  timeout: 600_000,
}, async ({ skip }) => {
  const binary = binaryOf("claude-code");
  if ("skipped" in binary) return skip(binary.skipped);
  const [list, wrote, work0, done0, stop0, ...rest] = stepwise(host, 3);
  const { script, asked } = hanging([list!, wrote!, work0!, done0!, stop0!, NEVER]);
  fleet.world.model.play(script);
  const machines = ["a1", "a2"].map(work);
  const { baseUrl: _, model: __, approval: ___, ...goal } = fleet.world.aGoal({ host: "claude-code" });
  await submitGoal({ url: fleet.world.url }, fleet.world.ledger, goal);
  await Promise.race([asked, becomes(goal.run, "parked", "finished", "poisoned")]);
  const { driver, state, outcome } = (await fleet.world.ledger.get(goal.run))!;
  expect(state, outcome).toBe("running");
  const before = mainRequests(fleet.world.model).length;
  fleet.world.model.play(turns(rest));
  machines.find(({ id }) => id === driver)!.signal("SIGKILL");
  expect(await becomes(goal.run, "finished", "parked", "poisoned")).toMatchObject({ state: "finished", epoch: 2 });
  const [first] = mainRequests(fleet.world.model).slice(before);
  expect(textOf(first!)).toContain("A new conversation continues this run");
  expect(textOf(first!)).toContain(`Goal:\n> ${goal.goal}`);
  expect(textOf(first!)).not.toContain("Item 0 is done, I stop here.");
  await fleet.world.until(
    "the branch",
    () => fleet.world.git(fleet.world.remote, "show", `tildone/${goal.run}:work.txt`) === "0\n1\n2\n",
  );
});
