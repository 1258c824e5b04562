import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { readOptions } from "./command-options.ts";

const command = {
  options: { seeds: { type: "string", default: "7" }, store: { type: "string" }, json: { type: "boolean" } },
  whole: ["seeds"],
  oneOf: { store: ["memory", "postgres"] },
} as const;

test.each([
  [["--nope"], "Unknown option '--nope'. See --help."],
  [["--seeds", "many"], '--seeds takes a whole number, not "many". See --help.'],
  [["--seeds", "-1"], "Option '--seeds' argument is ambiguous. See --help."],
  [["--seeds="], '--seeds takes a whole number, not "". See --help.'],
  [["--seeds"], "Option '--seeds <value>' argument missing. See --help."],
  [["--json=yes"], "Option '--json' does not take an argument. See --help."],
  [["--store", "disk"], '--store takes memory or postgres, not "disk". See --help.'],
  [["seeds"], "Unexpected argument 'seeds'. This command does not take positional arguments. See --help."],
])("%j is refused in one sentence", (args, why) => {
  expect(readOptions(args, command)).toEqual({ ok: false, why });
});

test("what is given and what is not are both values", () => {
  const read = readOptions(["--store", "memory", "-h"], command);
  expect(read).toEqual({ ok: true, values: { seeds: "7", store: "memory", help: true } });
});

const COMMANDS = [
  "test/fleet/main.ts",
  "test/install/main.ts",
  "test/judges/main.ts",
  "test/mutants/main.ts",
  "test/sim/main.ts",
  "test/sim/scheduler.ts",
  "test/undo/main.ts",
  "test/e2e/serve/fuzz.ts",
  "test/e2e/serve/pictures.ts",
  "bench/main.ts",
  "bench/fleet/main.ts",
  "bench/serve/main.ts",
  "bench/until-done/main.ts",
];

test.each(COMMANDS)("%s explains itself and refuses what it does not know", { timeout: 60_000 }, (file) => {
  const help = spawnSync(process.execPath, [file, "--help"], { encoding: "utf8" });
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^ {2}(npm run|node) /m);
  const wrong = spawnSync(process.execPath, [file, "--nope"], { encoding: "utf8" });
  expect(wrong).toMatchObject({ status: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/^[^\n]*--nope[^\n]*\n$/);
});
