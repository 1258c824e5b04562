import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { HOOK, useSession } from "./use-session.ts";

// The server of a session and the hook of the same session, each a real process.
const session = useSession();

/** `alone`: it may do the work itself; otherwise it cannot even load what does it. */
async function stop(alone: boolean): Promise<string> {
  writeFileSync(join(session.home, "helpless.mjs"), HELPLESS);
  const child = spawn(
    "node",
    [...(alone ? [] : ["--import", join(session.home, "helpless.mjs")]), HOOK, "claude-code", "stop"],
    {
      env: session.env(),
      cwd: session.project,
    },
  );
  child.stdin.end(session.input);
  return text(child.stdout);
}

const HELPLESS = `
import { registerHooks } from "node:module";
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.endsWith("/in-run.ts")) throw new Error("the hook would do it itself");
    return next(specifier, context);
  },
});`;

test("while the server of its session runs, the hook only asks it; without one it does the work itself", async () => {
  await session.serve();
  expect(await stop(false)).toContain("Todos remain");
  await session.close();
  expect(await stop(false)).not.toContain("Todos remain");
  expect(await stop(true)).toContain("Todos remain");
});

test("the door goes with the server", async () => {
  await session.serve();
  expect(await stop(false)).toContain("Todos remain");
  await session.close();
  await expect.poll(() => readdirSync(join(session.home, "doors")), { timeout: 60_000 }).toEqual([]);
});
