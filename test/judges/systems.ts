import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Run } from "../../src/core/run/index.ts";
import { openRun } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import {
  asCommand,
  type Call,
  type ModelRequest,
  type Persona,
  type PersonaCall,
  type Script,
  scriptOf,
  startScriptedModel,
} from "../../src/testing/index.ts";
import { run } from "../../src/testing/personas/acts.ts";
import { piTool } from "../e2e/pi/pi-tool.ts";
import { EXTENSION, PI } from "../e2e/pi/sandbox.ts";
import { type Binary, binaryOf } from "../hosts/binaries.ts";
import { CLAUDE_CODE } from "../hosts/hosts.ts";
import { isMain } from "../hosts/script.ts";
import { aWorld, type Ended, type World } from "./world.ts";

/** How a play ended: by the log, by the process, and by what a person reads. */
export interface Outcome {
  /** Why tildone let the run rest; undefined: it never did. */
  readonly reason: string | undefined;
  readonly exit: number | null;
  readonly report: string;
  readonly run: Run | undefined;
  readonly printed: string;
}

/** A program that a model works in, as a process of its own. */
export interface System {
  readonly name: string;
  /** Its exit code is tildone's own. */
  readonly exitsForUs: boolean;
  /** Why it cannot be played here. */
  readonly whyNot?: () => string | undefined;
  readonly play: (persona: Persona) => Promise<Outcome>;
}

export const SYSTEMS: Readonly<Record<"run" | "pi" | "claude-code", System>> = {
  run: {
    name: "tildone run",
    exitsForUs: true,
    play: (persona) =>
      playIn(persona, piTool, async (world, url) => {
        const pi = join(world.home, "pi");
        mkdirSync(pi);
        const words = ["run", persona.asks, "--json", "--approval", "yolo", "--base-url", `${url}/v1`, "--model", "m"];
        return world.run([process.execPath, TILDONE, ...words], { PI_CODING_AGENT_DIR: pi, PI_OFFLINE: "1" });
      }),
  },
  pi: {
    name: "pi",
    exitsForUs: false,
    play: (persona) =>
      playIn(persona, piTool, async (world, url) => {
        const pi = join(world.home, "pi");
        mkdirSync(pi);
        writeFileSync(join(pi, "models.json"), JSON.stringify(modelsAt(url)));
        writeFileSync(join(pi, "settings.json"), '{ "quietStartup": true, "retry": { "enabled": false } }');
        const flags = ["-ne", "-ns", "-np", "-nc", "--no-themes", "--no-session", "-e", EXTENSION];
        return world.run(
          [process.execPath, PI, "--provider", "scripted", "--model", "m", ...flags, "-p", persona.asks],
          { PI_CODING_AGENT_DIR: pi, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
        );
      }),
  },
  "claude-code": {
    name: "Claude Code",
    exitsForUs: false,
    whyNot: () => ("skipped" in claude() ? (claude() as { skipped: string }).skipped : undefined),
    play: (persona) =>
      playIn(persona, claudeTool, async (world, url) => {
        mkdirSync(join(world.home, ".claude"));
        writeFileSync(join(world.home, ".claude/settings.json"), '{ "permissions": { "allow": ["Bash", "Write"] } }');
        await world.run([process.execPath, TILDONE, "install", "claude-code"]);
        const place = { env: world.env } as Parameters<typeof CLAUDE_CODE.env>[0];
        const binary = (claude() as { path: string }).path;
        const env = { ...CLAUDE_CODE.env(place, url), ...PATIENT };
        return world.run([binary, "-p", persona.asks, "--output-format", "text"], env);
      }),
  },
};

/** On a busy machine our server takes longer to start than Claude Code waits, and a model without its tools plays nothing. */
const PATIENT = { MCP_CONNECT_TIMEOUT_MS: "120000", MCP_TIMEOUT: "120000", MCP_CONNECTION_NONBLOCKING: "0" };

const TILDONE = resolve("bin/tildone.js");
let binary: Binary | undefined;
function claude(): Binary {
  binary ??= binaryOf("claude-code");
  return binary;
}

function claudeTool(call: PersonaCall): Call {
  const command = asCommand(call);
  return command === undefined ? CLAUDE_CODE.ours(call.tool, call.input) : CLAUDE_CODE.shell(command);
}

const modelsAt = (url: string) => ({
  providers: {
    scripted: {
      api: "openai-completions",
      apiKey: "x",
      baseUrl: `${url}/v1`,
      models: [{ id: "m", contextWindow: 1_000_000, maxTokens: 4000 }],
    },
  },
});

async function playIn(
  persona: Persona,
  toolOf: (call: PersonaCall) => Call,
  start: (world: World, url: string) => Promise<Ended>,
): Promise<Outcome> {
  const world = aWorld(persona);
  const model = await startScriptedModel(answersOf(persona, toolOf));
  try {
    mkdirSync(join(world.home, ".config/tildone"), { recursive: true });
    writeFileSync(join(world.home, ".config/tildone/config.json"), settingsFor(persona));
    const { code, printed } = await start(world, model.url);
    const run = await newestRun(world);
    const { decision } = run?.ledger ?? {};
    const report = await world.run([process.execPath, TILDONE, "report"]);
    const reason = decision?.type === "stop" ? decision.reason : decision?.type;
    return { reason, exit: code, report: report.printed, run, printed };
  } finally {
    await model.close();
    world.remove();
  }
}

/** As tildone is shipped, except for approvals: there is no user here to give them. */
const settingsFor = ({ checks, touches = [] }: Persona): string =>
  JSON.stringify({ checks: { run: checks, touches }, approval: { protect: [], protectInYolo: [] } });

function answersOf(persona: Persona, toolOf: (call: PersonaCall) => Call): Script {
  const play = scriptOf(persona, toolOf) as Exclude<Script, readonly unknown[]>;
  let [asked, waited] = [0, 0];
  return (request, count) => {
    if (!isMain(request)) return { text: "An aside" };
    if (!hasOurTools(request) && waited++ < MOST_WAITS) return { calls: [toolOf(run("sleep 2"))] };
    return ++asked > MOST_REQUESTS ? { status: 400, message: "it asks on and on" } : play(request, count);
  };
}

const MOST_REQUESTS = 60;
/** A host may ask its model before our server is there; what is played then would be nothing. */
const MOST_WAITS = 60;
const hasOurTools = ({ tools }: ModelRequest): boolean => tools.some((name) => name.endsWith("write_todos"));

async function newestRun({ home }: World): Promise<Run | undefined> {
  const store = await openStore({ path: join(home, ".local/state/tildone/tildone.db") });
  try {
    const [card] = store.runs.list();
    return card && openRun(store.log, card.run).run;
  } finally {
    store.close();
  }
}
