import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { NewEvent, Store } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";
import type { Bench, Row } from "./harness.ts";
import { longRun, RUN } from "./long-run.ts";

const HOST = "claude-code";
const SESSION = "bench";
/** How many calls the turn made that the stop hook ends. */
const CALLS = 30;

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

  const call = (event: string, fields: object): Ended => {
    const input = JSON.stringify({ session_id: SESSION, cwd: project, transcript_path: "", ...fields });
    return node([resolve("bin/tildone-hook.js"), HOST, event], input, { TILDONE_HOME: home });
  };
  // In a session the MCP server has the log open, too; whoever closes it last has more to do.
  let server: Store | undefined;
  const restore = async () => {
    server?.close();
    for (const side of ["-wal", "-shm"]) rmSync(join(home, `tildone.db${side}`), { force: true });
    copyFileSync(kept, join(home, "tildone.db"));
    server = await openStore({ path: join(home, "tildone.db") });
  };
  bench.defer(() => server?.close());
  // A turn as the host tells it, so that what is measured is a stop which ends one and is sent on.
  await restore();
  call("prompt", { prompt: "go on", prompt_id: "p" });
  for (let at = 0; at < CALLS; at++)
    call("post-tool", { tool_calls: [{ tool_name: "Read", tool_input: { at }, tool_response: `${at}` }] });
  server?.close(); // what lies beside the file goes into it
  copyFileSync(join(home, "tildone.db"), kept);

  const hook = (event: string, fields: object, answer: string) => async () => {
    await restore(); // every stop changes the run
    const { took, output } = call(event, fields);
    if (!output.startsWith(answer)) throw new Error(`the ${event} hook answered ${output.slice(0, 100) || "nothing"}`);
    return took;
  };
  const floor = () => node([empty], "", {}).took;
  const stop = { last_assistant_message: "done", permission_mode: "default", background_tasks: [] };
  return [
    {
      name: "stop in a run of 1,000 events",
      run: hook("stop", stop, '{"decision":"block"'),
      floor,
      target: { atMost: 1.6 },
      repeat: 40,
    },
    {
      name: "pre-tool in a run of 1,000 events",
      run: hook("pre-tool", { tool_name: "Bash", tool_input: { command: "ls" } }, ""),
      floor,
      target: { atMost: 1.5 },
      repeat: 40,
    },
    {
      name: "stop in a session without a list",
      run: hook("stop", { ...stop, session_id: "another" }, ""),
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
  store.log.transact(RUN, 0, () => ({ append: ours, value: 0, card: { ...card, ...origin }, bind: origin }));
  store.close();
}

interface Ended {
  /** In milliseconds. */
  readonly took: number;
  readonly output: string;
}

function node(args: readonly string[], input: string, env: Readonly<Record<string, string>>): Ended {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  const took = performance.now() - begun;
  if (status !== 0 || stderr !== "") throw new Error(stderr || `${args[0]} ended with ${status}`);
  return { took, output: stdout };
}
