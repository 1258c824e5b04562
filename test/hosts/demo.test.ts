import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { HOST_NAMES, type HostName } from "../../src/config/index.ts";
import { PROFILES, scriptedHost } from "../../src/hosts/index.ts";
import { programsOf } from "./binaries.ts";

// `tildone demo <host>`, as it is shipped, on the real host.
const MACHINE = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tildone-yours-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function demo(args: readonly string[], path: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("bin/tildone.js"), "demo", ...args], {
    env: { PATH: path, HOME: home, ANTHROPIC_API_KEY: "sk-yours", OPENAI_API_KEY: "sk-yours", GEMINI_API_KEY: "yours" },
    cwd: home,
    encoding: "utf8",
    timeout: 280_000,
  });
  return { status, stdout, stderr };
}

const folderOf = (host: HostName): string => (host === "pi" ? resolve("node_modules/.bin") : programsOf(host));

describe.each(HOST_NAMES)("%s", (host) => {
  const binary = host === "pi" ? { path: "" } : inject("binaries")[host];
  const { title, program, comesWith } = PROFILES[host];

  test.skipIf("skipped" in binary)(
    "the demo catches the lie, counts what happened and touches nothing of yours",
    async () => {
      const { status, stdout, stderr } = demo([host, "--fast", "--keep"], `${folderOf(host)}:${MACHINE}`);
      const folder = /Kept: (.*)/.exec(stdout)?.[1] ?? "";
      expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("Result: Done and proven: every required check passed.");
      expect(stdout).toContain("✗ claim refused: slug.test.js still fails");
      expect(stdout).toContain("1 claim refused: the check still failed");
      const nudges = stdout.match(/told it to continue/g)?.length ?? 0;
      expect(stdout).toContain(
        `told to continue ${nudges} times: stopped early ${nudges - 1} times, asked permission 1 time`,
      );
      const { checksAtEnd } = await scriptedHost(host);
      expect(nudges).toBe(checksAtEnd ? 7 : 6);
      expect(stdout).toContain("1 tool call failed; the run continued");
      expect(stdout.slice(stdout.indexOf("Next:")).match(/^ {2}tildone /gm)).toHaveLength(3);
      expect(readFileSync(join(folder, "project/src/slug.js"), "utf8")).toContain("toLowerCase");
      expect(existsSync(join(folder, "project/build"))).toBe(false);
      expect(readdirSync(home)).toEqual([]);
      rmSync(folder, { recursive: true, force: true });
    },
  );

  test("without the program one sentence says what to type", () => {
    const empty = join(home, "bin");
    const { status, stdout, stderr } = demo([host, "--fast"], empty);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `tildone: ${title} (\`${program}\`) is not on your PATH. Install it (npm install -g ${comesWith}), or open a terminal that finds it.\n`,
    );
  });
});
