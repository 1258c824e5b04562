import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOOK, useSession } from "./use-session.ts";

// A host that is killed while its stop hook holds the answer, as a countdown makes it do. Host, hook and server are real processes.
const session = useSession();

let host: ChildProcess | undefined;
beforeEach(() => {
  writeFileSync(join(session.home, "config.json"), JSON.stringify({ continuation: { countdown: "45s" } }));
});
afterEach(() => void host?.kill("SIGKILL"));

/** Calls its hook through a shell or without one, says which process that is, and holds its pipes. */
const HOST = `
const { spawn } = require("node:child_process");
const [shell, input] = process.argv.slice(1);
const hook = ["node", ${JSON.stringify(HOOK)}, "claude-code", "stop"];
const child = shell
  ? spawn(shell, ["-c", hook.join(" ") + " <&0 & echo $!; wait"], { stdio: ["pipe", "pipe", "ignore"] })
  : spawn(hook[0], hook.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
child.stdin.end(input);
if (!shell) console.log(child.pid);
child.stdout.on("data", (chunk) => process.stdout.write(chunk));
setInterval(() => {}, 1000);`;

async function holds(shell: string): Promise<number> {
  host = spawn(process.execPath, ["-e", HOST, shell, session.input], {
    env: session.env(),
    cwd: session.project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [told] = await once(host.stdout!, "data");
  return Number(String(told).trim());
}

const STATUS = `import { main } from ${JSON.stringify(resolve("src/cli/index.ts"))}; await main(["status", "--json"]);`;

function stateNow(): unknown {
  const { stdout } = spawnSync("node", ["--input-type=module", "-e", STATUS], {
    env: session.env(),
    cwd: session.project,
  });
  return JSON.parse(String(stdout))[0]?.state ?? String(stdout);
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each([
  ["asks the server", ""],
  ["does the work itself", ""],
  ["asks the server, started by a shell", "bash"],
  ["does the work itself, started by a shell", "bash"],
])("a hook that %s ends soon after its host was killed", async (how, shell) => {
  await session.serve();
  if (!how.includes("server")) await session.close();
  const hook = await holds(shell);
  await expect.poll(stateNow, { timeout: 15_000, interval: 200 }).toBe("continuing");
  host!.kill("SIGKILL");
  await once(host!, "close");
  expect(lives(hook)).toBe(true);
  // Sooner than a hook ends that was told and does not come to its end.
  await expect.poll(() => lives(hook), { timeout: 9_000, interval: 100 }).toBe(false);
});
