import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const SCRIPT = `import(${JSON.stringify(fileURLToPath(new URL("./is-hang-up-ignored.ts", import.meta.url)))})
  .then(({ isHangUpIgnored }) => process.stdout.write(String(isHangUpIgnored(process.env))))`;
const env = { PATH: process.env.PATH, NODE: process.execPath, SCRIPT };
const run = (shell: string, line: string) => execFileSync(shell, ["-c", line], { env, encoding: "utf8" });

const hasNohup = process.platform === "linux" && spawnSync("nohup", ["--version"]).status === 0;

describe.skipIf(!hasNohup)("whether the hang-up signal is ignored", () => {
  test.each([
    ["plain", "bash", '"$NODE" -e "$SCRIPT"; true', "false"],
    ["plain, with nothing to read", "bash", '"$NODE" -e "$SCRIPT" < /dev/null; true', "false"],
    ["nohup in bash", "bash", 'nohup "$NODE" -e "$SCRIPT" 2> /dev/null; true', "true"],
    ["nohup of a script", "sh", 'nohup sh -c \'"$NODE" -e "$SCRIPT"; true\' 2> /dev/null; true', "true"],
    ["as nohup leaves a terminal's input", "sh", '"$NODE" -e "$SCRIPT" 0> /dev/null; true', "true"],
    ["a script that ignores it", "sh", 'trap \'\' HUP; "$NODE" -e "$SCRIPT"; true', "true"],
  ])("%s", (_what, shell, line, expected) => expect(run(shell, line)).toBe(expected));
});
