import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

test("ends what a check left behind, even if tildone ends before its grace is over", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-left-"));
  const check = `sh -c 'trap "" TERM HUP INT; echo $$ > left; sleep 305' > /dev/null 2>&1 & while [ ! -s left ]; do sleep 0.02; done`;
  const script = `
    import { runCommand } from ${JSON.stringify(join(import.meta.dirname, "run-command.ts"))};
    import { createOutputTail } from ${JSON.stringify(join(import.meta.dirname, "output-tail.ts"))};
    import { steadyClock } from ${JSON.stringify(join(import.meta.dirname, "../machine/index.ts"))};
    const command = { file: "/bin/sh", args: ["-c", ${JSON.stringify(check)}], cwd: ${JSON.stringify(folder)}, env: process.env, timeoutMs: 60000, graceMs: 60000 };
    console.log((await runCommand(command, createOutputTail(100), steadyClock(), new AbortController().signal)).status);`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stdout).toBe("exited\n");
  const pid = Number(readFileSync(join(folder, "left"), "utf8"));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { timeout: 20_000 });
  rmSync(folder, { recursive: true });
});
