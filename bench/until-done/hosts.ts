import { join, resolve } from "node:path";
import { PROFILES } from "../../src/hosts/index.ts";
import { asCommand, type Call, type Persona, type PersonaCall, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES, binaryOf } from "../../test/hosts/binaries.ts";
import { type OwnItem, REAL_HOSTS, type RealHost } from "../../test/hosts/hosts.ts";
import { createSandbox, type Sandbox } from "../../test/hosts/sandbox.ts";
import type { System } from "./cell.ts";
import { ENTRANTS, type EntrantFacts } from "./entrants.ts";
import { onScreen } from "./on-screen.ts";
import { isOnScreen } from "./personas.ts";
import { asksOf, checkOf, layOut, type Means } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { settingsFor, verdictIn } from "./tildone.ts";
import { ownList } from "./tools.ts";

/** Only here the host is given a context so small that it compacts. */
const COMPACTED = "overflows its context and is compacted";

type Way = "alone" | "goal" | "loop" | "with tildone" | "supervised";
const isOurs = (way: Way): boolean => way === "with tildone" || way === "supervised";

/** Real hosts with a scripted model: alone, in a goal mode of their own, with our hooks, and with our hooks under `tildone run --host`. */
export const HOST_SYSTEMS: readonly System[] = REAL_HOSTS.flatMap((host) => {
  const { goal, isLooped } = ENTRANTS[host.name] ?? {};
  const ways: readonly Way[] = [
    "alone",
    ...(goal ? (["goal"] as const) : []),
    ...(isLooped ? (["loop"] as const) : []),
    "with tildone",
    "supervised",
  ];
  return ways.map((way) => systemOf({ ...ENTRANTS[host.name], host, title: PROFILES[host.name].title }, way));
});

/** A host in its columns: its value, how its tests set it up, and what only a benchmark has to know. */
type Entrant = EntrantFacts & { readonly host: RealHost; readonly title: string };

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
    const { host, goal } = entrant;
    const own = ownList((items) => (way === "goal" && isDone(items) && goal?.reached) || host.ownList(items));
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
      screen: { asksAfterStop: entrant.host.screen.asksAfterStop ?? 0 },
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
    if (isOnScreen(persona)) host.screen.prepare?.(sandbox);
    host.configure(sandbox, model.url);
    if (!isOurs(way)) host.ownListNeeds?.prepare?.(sandbox);
    sandbox.write("home/.config/tildone/config.json", settingsFor(persona));
    if (persona.name === COMPACTED) entrant.compaction?.prepare?.(sandbox);
    if (isOurs(way)) sandbox.tildone("install", host.name);
    const command = await commandOf(entrant, binary, way, { sandbox, url: model.url, persona });
    const store = join(sandbox.home, ".local/state/tildone/tildone.db");
    return {
      ...command,
      model,
      project: sandbox.project,
      ...(isOurs(way) && { shows: () => verdictIn(store) }),
      ...(way === "goal" && { shows: async (output: string) => entrant.goal?.shown?.(output) }),
    };
  },
});

const isDone = (items: readonly OwnItem[]): boolean =>
  items.length > 0 && items.every(({ status }) => status === "completed" || status === "cancelled");

function meansOf({ host, compaction, background }: Entrant): Means {
  const tokens = compaction?.tokens ?? host.compaction?.tokens;
  return {
    ...(tokens !== undefined && { compacts: { tokens, in: compaction?.in ?? "this" } }),
    ...(background && { background }),
  };
}

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
  const { host, retries = {}, besideTildone = [], goal } = entrant;
  const alone = host.ownListNeeds ?? {};
  const { sandbox, url, persona } = place;
  const { name } = persona;
  const asks = asksOf(persona);
  const small = name === COMPACTED ? host.compaction : undefined;
  const beside = isOurs(way) ? besideTildone : (alone.flags ?? []);
  const flags = [...(retries.flags ?? []), ...beside, ...(small?.flags ?? [])];
  const more = { ...retries.env, ...(!isOurs(way) && alone.env), ...small?.env };
  if (isOnScreen(persona)) {
    const { typedAt, asks: question } = host.screen;
    const line = host.screen.line(binary, asks).filter((word) => typedAt === undefined || word !== asks);
    const typed = typedAt !== undefined && { types: { shows: typedAt, text: asks } };
    return onScreen(
      { line: [...line, ...beside], stop: ["Escape"], ...(question && { asks: question }), ...typed },
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
