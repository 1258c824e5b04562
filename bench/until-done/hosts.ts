import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { asCommand, type Call, type Persona, type PersonaCall, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES, binaryOf } from "../../test/hosts/binaries.ts";
import { type Asked, CLAUDE_CODE, CODEX, GEMINI, type RealHost } from "../../test/hosts/hosts.ts";
import { createSandbox, type Sandbox } from "../../test/hosts/sandbox.ts";
import { lineOf, unaskedAtStart } from "../../test/hosts/terminal.ts";
import type { System } from "./cell.ts";
import { onScreen, type Screen } from "./on-screen.ts";
import { isOnScreen } from "./personas.ts";
import { asksOf, checkOf, layOut, type Means } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { settingsFor, verdictIn } from "./tildone.ts";
import { type OwnItem, ownList } from "./tools.ts";

interface Entrant {
  readonly host: RealHost;
  readonly title: string;
  /** The host's own list, as its tool takes it. */
  readonly list: (items: readonly OwnItem[]) => Call;
  /** Retries as the host is shipped; its tests turn them off. */
  readonly retries: Pick<Asked, "env" | "flags">;
  /** When the model must say that its context is full, and what else it takes. */
  readonly compaction: NonNullable<Means["compacts"]> & { prepare?(sandbox: Sandbox): void };
  readonly background?: (prompt: string) => Call;
  /** What lets the host alone keep its own list. */
  readonly alone?: Pick<Asked, "env" | "flags">;
  /** Flags beside our installation. */
  readonly besideTildone?: readonly string[];
  /** The host's own way to work until a goal is reached. */
  readonly goal?: Goal;
  /** What its screen asks before it begins, how often the host asks the model by itself after Esc, and at which words a prompt is typed. */
  readonly screen?: Pick<Screen, "asks"> & {
    readonly asksAfterStop?: number;
    readonly typedAt?: string;
  };
  /** It is also played in the loop that people write around it: asked the same again until the check passes. */
  readonly isLooped?: true;
}

interface Goal {
  readonly title: string;
  /** How the goal is told, and what is started to tell it. */
  readonly prompt?: (asks: string) => string;
  readonly command?: (binary: string, asks: string, flags: readonly string[]) => readonly [string, ...string[]];
  /** The call by which a model says that all of its list is done. */
  readonly reached?: Call;
}

const CODEX_GOAL = join(import.meta.dirname, "codex-goal.ts");

const ENTRANTS: readonly Entrant[] = [
  {
    host: CLAUDE_CODE,
    title: "Claude Code",
    list: (items) => [
      "TodoWrite",
      {
        todos: items
          .filter(({ status }) => status !== "cancelled")
          .map(({ text, status }) => ({ content: text, status, activeForm: text })),
      },
    ],
    retries: { env: { CLAUDE_CODE_MAX_RETRIES: "10" } },
    alone: { env: { CLAUDE_CODE_ENABLE_TASKS: "0" } },
    compaction: { tokens: CLAUDE_CODE.compaction!.tokens, in: "this" },
    background: (prompt) => [
      "Agent",
      { description: "product", prompt, subagent_type: "general-purpose", run_in_background: true },
    ],
    // In its terminal it does not wait for servers: a prompt on the command line would reach a model that has no list tool yet.
    screen: { typedAt: "? for shortcuts" },
    goal: { title: "Claude Code /goal", prompt: (asks) => `/goal ${asks}` },
    isLooped: true,
  },
  {
    host: CODEX,
    title: "Codex",
    list: (items) => [
      "update_plan",
      {
        plan: items.filter(({ status }) => status !== "cancelled").map(({ text, status }) => ({ step: text, status })),
      },
    ],
    retries: {
      flags: ["-c", "model_providers.fake.request_max_retries=4", "-c", "model_providers.fake.stream_max_retries=5"],
    },
    alone: { flags: ["-c", "tools.update_plan.enabled=true"] },
    screen: { asks: { shows: "Use existing model", keys: ["Down", "Enter"] } },
    // It looks before it asks on within a turn.
    compaction: { tokens: CODEX.compaction!.tokens, in: "the one before" },
    // On a busy machine Codex asks the model before a server is up; a model that sees no list tool writes no list.
    besideTildone: ["-c", "mcp_servers.tildone.required=true"],
    goal: {
      title: "Codex goal",
      command: (binary, asks, flags) => [process.execPath, CODEX_GOAL, binary, asks, ...flags],
      reached: ["update_goal", { status: "complete" }],
    },
  },
  {
    host: GEMINI,
    title: "Gemini CLI",
    list: (items) => ["write_todos", { todos: items.map(({ text, status }) => ({ description: text, status })) }],
    retries: {},
    screen: { asksAfterStop: 1 }, // it tells the model that its answer was empty
    compaction: {
      tokens: 900_000,
      in: "this",
      prepare: ({ home, write }) => {
        const settings = JSON.parse(readFileSync(join(home, ".gemini/settings.json"), "utf8")) as object;
        const model = { compressionThreshold: 0.001 };
        write("home/.gemini/settings.json", JSON.stringify({ ...settings, model }));
      },
    },
  },
];

/** Only here the host is given a context so small that it compacts. */
const COMPACTED = "overflows its context and is compacted";

type Way = "alone" | "goal" | "loop" | "with tildone" | "supervised";
const isOurs = (way: Way): boolean => way === "with tildone" || way === "supervised";

/** Real hosts with a scripted model: alone, in a goal mode of their own, with our hooks, and with our hooks under `tildone run --host`. */
export const HOST_SYSTEMS: readonly System[] = ENTRANTS.flatMap((entrant) => [
  systemOf(entrant, "alone"),
  ...(entrant.goal ? [systemOf(entrant, "goal")] : []),
  ...(entrant.isLooped ? [systemOf(entrant, "loop")] : []),
  systemOf(entrant, "with tildone"),
  systemOf(entrant, "supervised"),
]);

function systemOf(entrant: Entrant, way: Way): System {
  const { host, title, goal } = entrant;
  const { version, start } = BINARIES[host.name];
  const binary = join(resolve(".hosts", `${host.name}-${version}`), start);
  return {
    name: {
      alone: title,
      goal: goal?.title ?? title,
      loop: `${title} in a loop`,
      "with tildone": `${title} + tildone`,
      supervised: `tildone run --host ${host.name}`,
    }[way],
    version,
    family: title,
    ...(isOurs(way) && { isOurs: true }),
    ...(way !== "alone" && { beside: title }),
    ...(way === "supervised" && { exitsForUs: true }),
    whyNot: () => {
      const got = binaryOf(host.name);
      return "skipped" in got ? got.skipped : undefined;
    },
    play: (persona, terms) => playOn(stageOf(entrant, binary, way), persona, terms),
  };
}

const stageOf = (entrant: Entrant, binary: string, way: Way): Stage => ({
  tools: () => {
    const { host, list, goal } = entrant;
    const own = ownList((items) => (way === "goal" && isDone(items) && goal?.reached) || list(items));
    const toolOf = (call: PersonaCall): Call => {
      const command = asCommand(call);
      if (command !== undefined) return host.shell(command);
      return (!isOurs(way) && own.call(call)) || host.ours(call.tool, call.input);
    };
    return { call: toolOf, ...(!isOurs(way) && { list: own.items }) };
  },
  means: {
    ...meansOf(entrant),
    ...((way === "alone" || way === "with tildone") && {
      screen: { asksAfterStop: entrant.screen?.asksAfterStop ?? 0 },
    }),
    ...(!isOurs(way) && { listLacks: ["blocked items"] as const }),
  },
  async setUp(persona, script, defer) {
    const { host } = entrant;
    const model = await startScriptedModel(script);
    defer(() => model.close());
    const sandbox = createSandbox(host.name);
    defer(() => sandbox.remove());
    layOut(persona, sandbox.project);
    if (isOnScreen(persona)) unaskedAtStart(host, sandbox);
    host.configure(sandbox, model.url);
    sandbox.write("home/.config/tildone/config.json", settingsFor(persona));
    if (persona.name === COMPACTED) entrant.compaction.prepare?.(sandbox);
    if (isOurs(way)) sandbox.tildone("install", host.name);
    const command = await commandOf(entrant, binary, way, { sandbox, url: model.url, persona });
    const store = join(sandbox.home, ".local/state/tildone/tildone.db");
    return {
      ...command,
      model,
      project: sandbox.project,
      ...(isOurs(way) && { shows: () => verdictIn(store) }),
    };
  },
});

const isDone = (items: readonly OwnItem[]): boolean =>
  items.length > 0 && items.every(({ status }) => status === "completed" || status === "cancelled");

const meansOf = ({ compaction, background }: Entrant): Means => ({
  compacts: compaction,
  ...(background && { background }),
});

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Place {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly persona: Persona;
}

async function commandOf(entrant: Entrant, binary: string, way: Way, place: Place): Promise<Command> {
  const { host, retries, alone = {}, besideTildone = [], goal } = entrant;
  const { sandbox, url, persona } = place;
  const { name } = persona;
  const asks = asksOf(persona);
  const small = name === COMPACTED ? host.compaction : undefined;
  const beside = isOurs(way) ? besideTildone : (alone.flags ?? []);
  const flags = [...(retries.flags ?? []), ...beside, ...(small?.flags ?? [])];
  const more = { ...retries.env, ...(!isOurs(way) && alone.env), ...small?.env };
  if (isOnScreen(persona)) {
    const { typedAt, asks: question } = entrant.screen ?? {};
    const line = [...lineOf(host, binary, asks).filter((word) => typedAt === undefined || word !== asks), ...beside];
    const typed = typedAt !== undefined && { types: { shows: typedAt, text: asks } };
    return onScreen(
      { line, stop: ["Escape"], ...(question && { asks: question }), ...typed },
      { ...sandbox.env, ...host.env(sandbox, url), ...more },
    );
  }
  if (way === "supervised") {
    const passed = [...host.unasked, ...flags].map((arg) => `--host-arg=${arg}`);
    const folder = resolve(".hosts", `${host.name}-${BINARIES[host.name].version}`, "node_modules/.bin");
    return {
      program: process.execPath,
      args: [resolve("bin/tildone.js"), "run", "--host", host.name, asks, ...passed],
      env: {
        ...sandbox.env,
        ...host.env(sandbox, url),
        ...more,
        PATH: `${folder}:${sandbox.env.PATH}`,
      },
    };
  }
  if (way === "goal" && goal?.command) {
    const [program, ...args] = goal.command(binary, asks, flags);
    return { program, args, env: { ...sandbox.env, ...host.env(sandbox, url), ...more } };
  }
  const prompt = (way === "goal" && goal?.prompt?.(asks)) || asks;
  // What the host's tests start is started here as well; only who waits for it differs.
  return new Promise((found) => {
    const run: Sandbox["run"] = async (program, args, env = {}) => {
      const command = { program, args, env: { ...sandbox.env, ...env } };
      found(way === "loop" ? looped(command, persona) : command);
      return { code: 0, out: "", err: "" };
    };
    void host.start({ ...sandbox, run }, binary, url, { prompt, env: more, flags });
  });
}

/** A fresh conversation each time, at most ten; Ctrl-C ends both. */
const LOOP = `check=$1; shift
trap 'kill $child; exit 130' INT
for round in 1 2 3 4 5 6 7 8 9 10; do
  "$@" & child=$!
  wait $child
  sh -c "$check" && exit 0
done
exit 1`;

const looped = ({ program, args, env }: Command, persona: Persona): Command => ({
  program: "/bin/sh",
  args: ["-c", LOOP, "loop", checkOf(persona), program, ...args],
  env,
});
