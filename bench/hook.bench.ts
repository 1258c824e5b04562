import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Envelope, FOLD_VERSION, UNBORN } from "../src/core/run/index.ts";
import { foldStored, type NewEvent } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";
import { longRun, RUN } from "./long-run.ts";

const HOST = "claude-code";
const SESSION = "bench";
/** As the engine keeps them: at every 256th event. */
const KEPT_AT = 768;

export default async function (bench: Bench): Promise<readonly Row[]> {
  build();
  const project = join(bench.folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a");
  spawnSync("git", ["init", "-q", project]);
  const kept = join(bench.folder, "kept.db");
  await aRunOf1000(kept, project);
  const empty = join(bench.folder, "empty.mjs");
  writeFileSync(empty, "");
  const home = join(bench.folder, "home");
  mkdirSync(home);

  const hook = (event: string, fields: object) => {
    const input = JSON.stringify({ session_id: SESSION, cwd: project, transcript_path: "", ...fields });
    return () => {
      for (const side of ["-wal", "-shm"]) rmSync(join(home, `tildone.db${side}`), { force: true });
      copyFileSync(kept, join(home, "tildone.db")); // every stop changes the run
      return node([resolve("bin/tildone-hook.js"), HOST, event], input, { TILDONE_HOME: home });
    };
  };
  const floor = () => node([empty], "", {});
  const stop = { last_assistant_message: "done", permission_mode: "default", background_tasks: [] };
  return [
    { name: "stop in a run of 1,000 events", run: hook("stop", stop), floor, target: { atMost: 1.6 }, repeat: 40 },
    {
      name: "pre-tool in a run of 1,000 events",
      run: hook("pre-tool", { tool_name: "Bash", tool_input: { command: "ls" } }),
      floor,
      target: { atMost: 1.5 },
      repeat: 40,
    },
    {
      name: "stop in a session without a list",
      run: hook("stop", { ...stop, session_id: "another" }),
      floor,
      target: { atMost: 1.5 },
      repeat: 40,
    },
  ];
}

/** The bundle is what hosts start. */
function build(): void {
  const { status } = spawnSync("node", ["tools/build.ts"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("npm run build failed; see above");
}

/** A long run, but of a session of this host, driven by its hooks. */
async function aRunOf1000(path: string, cwd: string): Promise<void> {
  const { events, card } = longRun(1000);
  const origin = { host: HOST, session: SESSION, cwd };
  const ours = events.map((event): NewEvent => {
    if (event.event.type === "run.began") return { ...event, event: { ...event.event, origin } as NewEvent["event"] };
    if (event.event.type === "run.claimed")
      return { ...event, event: { ...event.event, driver: `${HOST}:${SESSION}` } as NewEvent["event"] };
    return event;
  });
  const store = await openStore({ path });
  const { appended } = store.log.transact(RUN, 0, () => ({
    append: ours,
    value: 0,
    card: { ...card, ...origin },
    bind: origin,
  }));
  const state = foldStored(UNBORN, appended.slice(0, KEPT_AT) as readonly Envelope[]);
  store.log.saveSnapshot(RUN, { seq: KEPT_AT, version: FOLD_VERSION, state });
  store.close();
}

/** The time of one process, in milliseconds. */
function node(args: readonly string[], input: string, env: Readonly<Record<string, string>>): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    input,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const took = performance.now() - begun;
  if (status !== 0 || stderr !== "") throw new Error(stderr || `${args[0]} ended with ${status}`);
  return took;
}
