import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const MAIN = resolve("src/cli/index.ts");

function tildone(args: readonly string[], env: Record<string, string>) {
  const script = `import { main } from ${JSON.stringify(MAIN)}; await main(${JSON.stringify(args)});`;
  return spawnSync("node", ["--input-type=module", "-e", script], { env, encoding: "utf8", timeout: 100_000 });
}

test("the demo ends with everything done and proven, and says what tildone did", { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "tildone-home-"));
  const { status, stdout, stderr } = tildone(["demo", "--keep"], { PATH: process.env.PATH ?? "", HOME: home });
  const folder = /Kept: (.*)/.exec(stdout)?.[1] ?? "";
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("Result: Done and proven: every required check passed.");
  expect(stdout).toContain("stopped early 5 times and was told to continue");
  expect(stdout).toContain("asked permission 1 time without needing it");
  expect(stdout).toContain("claimed 1 time to be done when the check failed");
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
