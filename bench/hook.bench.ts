import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { NewEvent } from "../src/core/run/index.ts";
import { openStore } from "../src/store/index.ts";
import { build } from "./build.ts";
import type { Bench, Row } from "./harness.ts";
import { longRun, RUN } from "./long-run.ts";

const HOST = "claude-code";
const SESSION = "bench";
/** How many calls a turn makes that a stop ends. */
const CALLS = 2;
/** A run without progress ends after 60 turns, warming up included. */
const REPEAT = 40;

export default async function (bench: Bench): Promise<readonly Row[]> {
  build();
  const empty = join(bench.folder, "empty.mjs");
  writeFileSync(empty, "");
  const floor = () => node([empty], "", {}).took;
  const without = { TILDONE_CHECKPOINTS: "false" };
  const [served, alone] = [await aSession(bench, "served", without), await aSession(bench, "alone", without)];
  const recorded = await aSession(bench, "recorded", {});
  for (const session of [served, recorded]) await serve(bench, session);

  const stop = { last_assistant_message: "done", permission_mode: "default", background_tasks: [] };
  let turn = 0;
  /** A turn as the host tells it: calls never made before and a file that changed, so that the stop is sent on. */
  const work = (session: Session) => {
    turn++;
    for (let at = 0; at < CALLS; at++)
      call(session, "post-tool", { tool_calls: [{ tool_name: "Read", tool_input: { turn, at }, tool_response: "" }] });
    writeFileSync(join(session.project, "a.txt"), `${turn}`);
  };
  const timed = (session: Session, event: string, fields: object, answer: string) => {
    const { took, output } = call(session, event, fields);
    if (!output.includes(answer)) throw new Error(`the ${event} hook answered ${output.slice(0, 100) || "nothing"}`);
    return took;
  };
  const stopped = (session: Session) => () => {
    work(session);
    return timed(session, "stop", stop, "Todos remain");
  };
  return [
    {
      name: "stop in a run of 1,000 events",
      run: stopped(served),
      floor,
      target: { atMost: 1.6 },
      repeat: REPEAT,
    },
    {
      name: "the same without the MCP server",
      run: stopped(alone),
      floor,
      target: { atMost: 2.5 },
      repeat: REPEAT,
    },
    {
      name: "stop that records the files, as it does by default",
      run: stopped(recorded),
      floor,
      target: { atMost: 5 },
      repeat: REPEAT,
    },
    {
      name: "pre-tool in a run of 1,000 events",
      run: () => timed(served, "pre-tool", { tool_name: "Bash", tool_input: { command: "ls" } }, ""),
      floor,
      target: { atMost: 1.5 },
      repeat: REPEAT,
    },
    {
      name: "stop in a session without a list",
      run: () => timed(served, "stop", { ...stop, session_id: "another" }, ""),
      floor,
      target: { atMost: 1.5 },
      repeat: REPEAT,
    },
  ];
}

interface Session {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

async function aSession(bench: Bench, name: string, env: Session["env"]): Promise<Session> {
  const home = join(bench.folder, name);
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  spawnSync("git", ["init", "-q", project]);
  await aRunOf1000(join(home, "tildone.db"), project);
  call({ home, project, env }, "prompt", { prompt: "go on", prompt_id: "p" });
  return { home, project, env };
}

function call({ home, project, env }: Session, event: string, fields: object): Ended {
  const input = JSON.stringify({ session_id: SESSION, cwd: project, transcript_path: "", ...fields });
  return node([resolve("bin/tildone-hook.js"), HOST, event], input, { ...env, TILDONE_HOME: home });
}

/** As the host keeps it beside the session: a client that made one call and is still there. */
async function serve(bench: Bench, { home, project, env: own }: Session): Promise<void> {
  const client = new Client({ name: "bench", version: "1" });
  // The host gives both the same environment; a server with another one answers no stop.
  const env = {
    ...(process.env as Record<string, string>),
    ...own,
    TILDONE_HOME: home,
    CLAUDE_CODE_SESSION_ID: SESSION,
  };
  const args = [resolve("bin/tildone.js"), "mcp", "--host", HOST];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: project }));
  await client.callTool({ name: "list_todos", arguments: {} });
  bench.defer(() => void client.close());
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
