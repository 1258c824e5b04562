import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { memoryOf } from "./memory.ts";

const MIB = 1024 * 1024;

test.runIf(process.platform === "linux")("a child's memory is its parent's as well", async () => {
  const hog = "const held = Buffer.alloc(200 * 1024 * 1024, 1); console.log(held.length); setInterval(() => {}, 1000)";
  const starts = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(hog)}], { stdio: 'inherit' })`;
  const parent = spawn(process.execPath, ["-e", starts], { detached: true });
  try {
    await once(parent.stdout, "data");
    expect(memoryOf(parent.pid!)).toBeGreaterThan(200 * MIB);
    expect(memoryOf(parent.pid!)).toBeLessThan(1000 * MIB);
  } finally {
    const gone = once(parent, "close");
    process.kill(-parent.pid!, "SIGKILL");
    await gone;
  }
});
