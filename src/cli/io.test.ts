import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { wantsColour } from "./io.ts";

/** A process that goes on whatever it is told, and says what it hears. */
const STUBBORN = `
import { processIo } from ${JSON.stringify(fileURLToPath(new URL("./io.ts", import.meta.url)))};
const { signal, signalAgain } = processIo();
signal.addEventListener("abort", () => console.log("once", signal.reason));
signalAgain.addEventListener("abort", () => console.log("twice", signalAgain.reason));
setInterval(() => {}, 1000);
console.log("ready");
`;

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s is told once and once more; the third one ends it", async (name, code) => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", STUBBORN], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const heard: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    heard.push(text.trim());
    child.kill(name);
  });
  const ended = await new Promise((done) => child.once("close", done));
  expect({ heard, ended }).toEqual({ heard: ["ready", `once ${code}`, `twice ${code}`], ended: code });
});

test.each([
  ["a terminal", {}, true, true],
  ["a pipe", {}, false, false],
  ["a dumb terminal", { TERM: "dumb" }, true, false],
  ["a pipe with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
  ["a pipe with an empty FORCE_COLOR", { FORCE_COLOR: "" }, false, true],
  ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
  ["NO_COLOR beats FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
])("colour: %s", (_where, env, isTerminal, expected) => expect(wantsColour(env, isTerminal)).toBe(expected));
