import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { atExit } from "./at-exit.ts";

test("a hundred actions are one listener, and none is left when all are forgotten", () => {
  const before = process.listenerCount("exit");
  const forget = Array.from({ length: 100 }, () => atExit(() => {}));
  expect(process.listenerCount("exit")).toBe(before + 1);
  for (const each of forget) each();
  for (const each of forget) each(); // twice is harmless
  expect(process.listenerCount("exit")).toBe(before);
});

test("each action runs when the process ends, also after one that throws, and a forgotten one does not", () => {
  const script = `import { atExit } from ${JSON.stringify(resolve("src/machine/at-exit.ts"))};
    atExit(() => { throw new Error("full disk"); });
    for (let n = 1; n <= 12; n++) atExit(() => console.log(n));
    atExit(() => console.log("forgotten"))();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.trim().split("\n").map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
