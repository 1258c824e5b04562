import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  allowing,
  type ConfigPlaces,
  fix,
  jsonFile,
  objectAt,
  offIn,
  parseSettings,
  readSettings,
  textOf,
  textsAt,
  type Whereabouts,
} from "../../hooks/index.ts";
import { blocksIn, ENDED_INSIDE_MS, type HostProcess } from "../host-process.ts";
import type { HostProfile } from "../host-profile.ts";
import { dialect } from "./dialect.ts";
import { plugin } from "./plugin.ts";
import { spendReader } from "./spend.ts";

/** The pieces of an answer tell what it used, and that the model is not silent. */
const OUTPUT = ["--output-format", "stream-json", "--verbose", "--include-partial-messages"];

const launched: HostProcess = {
  endsWithinMs: ENDED_INSIDE_MS,
  toolsIn: ({ type, message }) =>
    type === "assistant" ? blocksIn(message, "tool_use") : -blocksIn(message, "tool_result"),
  takesSession: true,
  start: (session, prompt) => ["-p", prompt, "--session-id", session, ...OUTPUT],
  resume: (session, prompt) => ["-p", "--resume", session, prompt, ...OUTPUT],
  startWorkflow: (session, words) => launched.start(session, `tildone workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  spend: {
    sees: "tokens and cost",
    reader: spendReader,
    limit: (cost) => ["--max-budget-usd", cost.toFixed(4)],
  },
  unknownSession: /No conversation found/i,
  // It calls itself a success even when the provider failed: only this field says so.
  failureIn: ({ type, is_error, api_error_status, subtype, result, errors }) =>
    type === "result" && (is_error === true || String(subtype).startsWith("error_"))
      ? [api_error_status, subtype === "success" ? "" : subtype, result, ...(Array.isArray(errors) ? errors : [])]
          .filter((part) => part !== undefined && part !== null && part !== "")
          .join(" ")
      : undefined,
};

/** It refuses every call of a tool without permission where it has no terminal to ask in. */
const RULE = "mcp__tildone";
const RALPH = ".claude/ralph-loop.local.md";
const OTHER_LOOP = `claude-code: another loop works in this folder (${RALPH}). End it: two loops work against each other`;

export const profile: HostProfile = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  comesWith: "@anthropic-ai/claude-code",
  verified: "2.1.197",
  capabilities: { hook: dialect.capabilities },
  process: launched,
  marks: ["CLAUDECODE"],
  mcp: {
    inEnvironment: ({ env }) => {
      const [session, cwd] = [env.CLAUDE_CODE_SESSION_ID, env.CLAUDE_PROJECT_DIR];
      return session ? { session, cwd } : undefined;
    },
  },
  hook: {
    dialect,
    plugin,
    placesOf,
    handlers: { countsIn: "seconds" },
    fileEdits: ({ places, want, hooks, serving }) => [
      jsonFile(places.hooks, want, [hooks, allowing(["permissions", "allow"], RULE, want)]),
      jsonFile(places.servers, want, [serving((server) => ({ type: "stdio", ...server, alwaysLoad: true }))]),
    ],
    hasPlugin: (where) =>
      (["user", "project"] as const).some((scope) =>
        Object.entries(objectAt(parseSettings(textOf(placesOf(scope, where).hooks)), "enabledPlugins")).some(
          ([name, on]) => name.startsWith("tildone@") && on === true,
        ),
      ),
    switchedOff: (scope, where) => {
      const { hooks } = placesOf(scope, where);
      return [hooks, join(dirname(hooks), "settings.local.json")].flatMap((path) => {
        const settings = readSettings(path);
        const denied = textsAt(objectAt(settings, "permissions"), "deny");
        return offIn(path, [
          [settings.disableAllHooks === true, "disableAllHooks is set", "no hook runs"],
          [denied.some((rule) => /^mcp__tildone(__|$)/.test(rule)), "permissions.deny names mcp__tildone", NO_TOOL],
          [
            textsAt(settings, "disabledMcpjsonServers").includes("tildone"),
            "disabledMcpjsonServers names tildone",
            NO_TOOL,
          ],
        ]);
      });
    },
    examine: ({ cwd }) => (existsSync(join(cwd, RALPH)) ? [fix(OTHER_LOOP)] : []),
  },
};

const NO_TOOL = "the agent has no todo tools" as const;

function placesOf(scope: "user" | "project", { env, home, cwd }: Whereabouts): ConfigPlaces {
  const own = env.CLAUDE_CONFIG_DIR;
  return scope === "project"
    ? { hooks: join(cwd, ".claude/settings.json"), servers: join(cwd, ".mcp.json") }
    : {
        hooks: join(own ?? join(home, ".claude"), "settings.json"),
        servers: own === undefined ? join(home, ".claude.json") : join(own, ".claude.json"),
      };
}
