import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { asCommand, type Call, type Persona, type PersonaCall, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES } from "../../test/hosts/binaries.ts";
import { type Asked, CLAUDE_CODE, CODEX, GEMINI, type RealHost } from "../../test/hosts/hosts.ts";
import { createSandbox, type Ended } from "../../test/hosts/sandbox.ts";
import { type Cell, RUNAWAY, type System, type Terms } from "./cell.ts";
import { boundedScript, countsOf, isReallyDone, layOut, needs } from "./play.ts";
import { reasonIn, settingsFor, spoken } from "./tildone.ts";
import { type OwnItem, ownList } from "./tools.ts";
import { untilEnded } from "./until-ended.ts";

interface Entrant {
  readonly host: RealHost;
  readonly title: string;
  /** The host's own list, as its tool takes it. */
  readonly list: (items: readonly OwnItem[]) => Call;
  /** Retries as the host is shipped; its tests turn them off. */
  readonly retries: Pick<Asked, "env" | "flags">;
  /** Flags beside our installation. */
  readonly besideTildone?: readonly string[];
}

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
    // On a busy machine Codex asks the model before a server is up; a model that sees no list tool writes no list.
    besideTildone: ["-c", "mcp_servers.tildone.required=true"],
  },
  {
    host: GEMINI,
    title: "Gemini CLI",
    list: (items) => ["write_todos", { todos: items.map(({ text, status }) => ({ description: text, status })) }],
    retries: {},
  },
];

type Way = "alone" | "with tildone";

/** Real hosts with a scripted model, each alone and with our hooks. */
export const HOST_SYSTEMS: readonly System[] = ENTRANTS.flatMap((entrant) => [
  systemOf(entrant, "alone"),
  systemOf(entrant, "with tildone"),
]);

function systemOf(entrant: Entrant, way: Way): System {
  const { host, title } = entrant;
  const { version, start } = BINARIES[host.name];
  const binary = join(resolve(".hosts", `${host.name}-${version}`), start);
  return {
    name: way === "alone" ? title : `${title} + tildone`,
    version,
    ...(!existsSync(binary) && { unavailable: `${title} is not installed; npm run test:hosts installs it` }),
    play: (persona, terms) => play(entrant, binary, way, persona, terms),
  };
}

async function play(entrant: Entrant, binary: string, way: Way, persona: Persona, { longestMs, keep }: Terms) {
  const { host, list, retries, besideTildone = [] } = entrant;
  const why = needs(persona);
  if (why !== undefined) return { status: "not run", why } as const;
  const sandbox = createSandbox(host.name);
  const stop = new AbortController();
  const own = ownList(list);
  const toolOf = (call: PersonaCall): Call => {
    const command = asCommand(call);
    if (command !== undefined) return host.shell(command);
    return (way === "alone" && own(call)) || host.ours(call.tool, call.input);
  };
  const model = await startScriptedModel(boundedScript(persona, toolOf, () => stop.abort()));
  try {
    layOut(persona, sandbox.project);
    host.configure(sandbox, model.url);
    sandbox.write("home/.config/tildone/config.json", settingsFor(persona));
    if (way === "with tildone") sandbox.tildone("install", host.name);
    let isTooLong = false;
    const run = async (command: string, args: readonly string[], more = {}): Promise<Ended> => {
      const env = { ...sandbox.env, ...more };
      const child = spawn(command, args, { cwd: sandbox.project, env, stdio: "ignore" });
      stop.signal.addEventListener("abort", () => child.kill("SIGINT"));
      const ending = await untilEnded(child, longestMs);
      isTooLong = ending.status === "too long";
      return { code: ending.status === "ended" ? ending.code : null, out: "", err: "" };
    };
    const begun = performance.now();
    const { code } = await host.start({ ...sandbox, run }, binary, model.url, {
      prompt: persona.asks,
      ...retries,
      flags: [...(retries.flags ?? []), ...(way === "alone" ? [] : besideTildone)],
    });
    const ms = performance.now() - begun;
    keep(model.requests);
    const counts = countsOf(model.requests);
    if (isTooLong && counts.requests <= RUNAWAY) return { status: "no end", afterMs: longestMs } satisfies Cell;
    const store = join(sandbox.home, ".local/state/tildone/tildone.db");
    const said = spoken(code, way === "alone" ? undefined : await reasonIn(store));
    return { status: "ran", finished: isReallyDone(persona, sandbox.project), ...said, ...counts, ms } satisfies Cell;
  } finally {
    await model.close();
    sandbox.remove();
  }
}
