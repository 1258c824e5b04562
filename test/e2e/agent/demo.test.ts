import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const MAIN = resolve("src/cli/index.ts");

function tildone(args: readonly string[], env: Record<string, string>) {
  const script = `import { main } from ${JSON.stringify(MAIN)}; await main(${JSON.stringify(args)});`;
  return spawnSync("node", ["--input-type=module", "-e", script], { env, encoding: "utf8", timeout: 280_000 });
}

test("the demo ends with everything done and proven, and says what tildone did", { timeout: 300_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "tildone-home-"));
  const { status, stdout, stderr } = tildone(["demo", "--keep"], { PATH: process.env.PATH ?? "", HOME: home });
  const folder = /Kept: (.*)/.exec(stdout)?.[1] ?? "";
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("Result: Done and proven: every required check passed.");
  expect(stdout).toContain("told to continue 6 times: stopped early 5 times, asked permission 1 time");
  expect(stdout.match(/told it to continue/g)).toHaveLength(6); // what is counted is what was shown
  expect(stdout).toContain("✗ claim refused: slug.test.js still fails");
  expect(stdout).toContain("1 claim refused: the check still failed");
  expect(stdout).toContain("✓ check passed: node --test test/tidy.test.js");
  expect(stdout).not.toContain("has not run"); // each todo has a check that ran
  expect(stdout).not.toContain("\u001b");
  expect(stdout.slice(stdout.indexOf("Next:")).match(/^ {2}tildone /gm)).toHaveLength(3);
  expect(stdout).toContain("1 tool call failed; the run continued");
  expect(stdout).toContain("1 call needed your approval");
  const project = join(folder, "project");
  expect(readFileSync(join(project, "src/slug.js"), "utf8")).toContain("toLowerCase");
  expect(existsSync(join(project, "build"))).toBe(false);
  expect(spawnSync("node", ["--test", "test/add.test.js"], { cwd: project }).status).toBe(0);
  expect(existsSync(join(home, ".local"))).toBe(false); // nothing of the user's was touched
  rmSync(folder, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});
