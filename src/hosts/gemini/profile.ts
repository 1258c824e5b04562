import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { digestOf } from "../../core/call/index.ts";
import { SESSION_ARGUMENT } from "../../core/words/index.ts";
import {
  type ConfigPlaces,
  EVENTS,
  type EventName,
  handlerName,
  jsonFile,
  note,
  objectAt,
  offIn,
  ownFile,
  plainApiError,
  readSettings,
  type SwitchedOff,
  textsAt,
  type Whereabouts,
} from "../../hooks/index.ts";
import { amount, ENDED_INSIDE_MS, fields, type HostProcess, type ReadSpend } from "../host-process.ts";
import { type HostProfile, nameIn } from "../host-profile.ts";
import { dialect } from "./dialect.ts";
import { plugin } from "./plugin.ts";

const launched: HostProcess = {
  endsWithinMs: ENDED_INSIDE_MS,
  toolsIn: ({ type }) => Number(type === "tool_use") - Number(type === "tool_result"),
  takesSession: true,
  start: (session, prompt) => ["--session-id", session, "-p", prompt, "--output-format", "stream-json"],
  resume: (session, prompt) => ["--resume", session, "-p", prompt, "--output-format", "stream-json"],
  startWorkflow: (session, words) => launched.start(session, `tildone workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  spend: {
    sees: "tokens",
    reader: spendReader,
    files: {
      folder: (env) => join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), ".gemini", "tmp"),
      nameEnd: (session) => `-${session.slice(0, 8)}.jsonl`,
    },
  },
  unknownSession: /Error resuming session|Invalid session identifier|No previous sessions found/i,
  failureIn: ({ type, status, error }) =>
    type === "result" && status === "error"
      ? plainApiError(String(fields(error).message ?? "the turn failed"))
      : undefined,
};

const LOOPS = "gemini: its loop detector may end a run that repeats a command; model.disableLoopDetection turns it off";

/** Where it has no terminal, it hides its own write_todos, and with it every tool of that name, ours too. */
const POLICY = `# Written by \`tildone install\`; \`tildone uninstall\` takes it out again.
[[rule]]
toolName = "write_todos"
decision = "allow"
priority = 500
`;

export const profile: HostProfile = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  comesWith: "@google/gemini-cli",
  verified: "0.61.0",
  capabilities: { hook: dialect.capabilities },
  process: launched,
  marks: ["GEMINI_CLI"],
  // Through the hook that adds it to the arguments.
  mcp: {
    renews: "nudge",
    inCall: ({ args }, { isNamed }) => {
      const session = isNamed ? nameIn(args, SESSION_ARGUMENT) : undefined;
      return session === undefined ? undefined : { session };
    },
  },
  hook: {
    dialect,
    plugin,
    placesOf,
    handlers: { countsIn: "milliseconds", areNamed: true, ifBroken },
    fileEdits: ({ places, want, hooks, serving }) => [
      jsonFile(places.hooks, want, [hooks, serving((server) => ({ ...server, trust: true }))]),
      { path: places.policy!, edit: (text, memory) => ownFile(text, memory, POLICY, want) },
    ],
    hasPlugin: ({ env, home }) => existsSync(join(env.GEMINI_CLI_HOME ?? home, ".gemini/extensions/tildone")),
    switchedOff,
    examine: (_where, all) =>
      all.some((settings) => objectAt(settings, "model").disableLoopDetection === true) ? [] : [note(LOOPS)],
  },
};

function placesOf(scope: "user" | "project", { env, home, cwd }: Whereabouts): ConfigPlaces {
  const own = join(env.GEMINI_CLI_HOME ?? home, ".gemini");
  const settings = join(scope === "project" ? join(cwd, ".gemini") : own, "settings.json");
  // It reads no policies of a project.
  const name = scope === "project" ? `tildone-${digestOf("gemini", cwd, "").slice(0, 8)}` : "tildone";
  return { hooks: settings, servers: settings, policy: join(own, "policies", `${name}.toml`) };
}

/**
 * It refuses every prompt when a hook cannot be started: the shell says so with 127, and that means "no" to it. So the shell
 * answers in our place, and tells the person at the prompt. PowerShell has no such thing; there it would be no command at all.
 */
function ifBroken(event: EventName): string {
  if (process.platform === "win32") return "";
  return ` 2>/dev/null || ${event === "prompt" ? `echo '${BROKEN}'` : "true"}`;
}
const BROKEN = JSON.stringify({
  systemMessage: "tildone is off here: its program or its Node is gone. Run: tildone install gemini",
});

function switchedOff(scope: "user" | "project", where: Whereabouts): readonly SwitchedOff[] {
  const path = placesOf(scope, where).hooks;
  const settings = readSettings(path);
  const config = objectAt(settings, "hooksConfig");
  const ours: readonly string[] = EVENTS.map(handlerName);
  const disabled = textsAt(config, "disabled").filter((name) => ours.includes(name));
  return offIn(path, [
    [config.enabled === false, "hooksConfig.enabled is false", "no hook runs"],
    [disabled.length > 0, `hooksConfig.disabled names ${disabled.join(", ")}`, "these hooks never run"],
    [
      textsAt(objectAt(settings, "mcp"), "excluded").includes("tildone"),
      "mcp.excluded names tildone",
      "the agent has no todo tools",
    ],
  ]);
}

/** It keeps each message with its tokens, and writes it again when its calls have ended. */
function spendReader(): ReadSpend {
  return ({ type, id, tokens }) => {
    if (type !== "gemini" || tokens === undefined) return undefined;
    const { input, output, cached, thoughts, tool } = fields(tokens);
    const cacheRead = amount(cached);
    const read = Math.max(0, amount(input) - cacheRead) + amount(tool);
    return {
      of: String(id),
      usage: { input: read, output: amount(output) + amount(thoughts), cacheRead, cacheWrite: 0, cost: 0 },
    };
  };
}
