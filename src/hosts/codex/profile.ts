import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { FOLDER_ARGUMENT } from "../../core/words/index.ts";
import {
  type ConfigPlaces,
  jsonFile,
  offIn,
  readToml,
  textOf,
  tomlValueIn,
  type Whereabouts,
} from "../../hooks/index.ts";
import { fields, type HostProcess } from "../host-process.ts";
import { type HostProfile, type McpCall, type McpServer, nameIn, type ToldSession } from "../host-profile.ts";
import { dialect } from "./dialect.ts";
import { reviewsAfter, tomlEdits } from "./edit-config.ts";
import { plugin } from "./plugin.ts";
import { ownServer } from "./server.ts";
import { spendReader } from "./spend.ts";
import { hookTrust } from "./trust.ts";

const SANDBOX = ["-c", 'sandbox_mode="workspace-write"'];
const TOOL_ITEMS: readonly string[] = ["command_execution", "file_change", "mcp_tool_call", "collab_tool_call"];

const launched: HostProcess = {
  endsWithinMs: 0, // no answer of a hook ends its turn
  toolsIn: ({ type, item }) => {
    const isTool = TOOL_ITEMS.includes(String(fields(item).type));
    return isTool ? Number(type === "item.started") - Number(type === "item.completed") : 0;
  },
  takesSession: false,
  start: (_session, prompt) => ["exec", "--json", "--skip-git-repo-check", ...SANDBOX, prompt],
  // A resumed session neither keeps its sandbox mode nor takes the flag for it.
  resume: (session, prompt) => ["exec", "resume", "--json", "--skip-git-repo-check", ...SANDBOX, session, prompt],
  startWorkflow: (session, words) => launched.start(session, `tildone workflow ${words}`),
  model: (name) => ["-c", `model=${JSON.stringify(name)}`],
  sessionIn: ({ type, thread_id }) =>
    type === "thread.started" && typeof thread_id === "string" ? thread_id : undefined,
  spend: {
    sees: "tokens",
    reader: spendReader,
    files: {
      folder: (env) => join(env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex"), "sessions"),
      nameEnd: (session) => `${session}.jsonl`,
    },
  },
  unknownSession: /no rollout found|no recorded session|session not found|thread not found/i,
  failureIn: ({ type, error }) =>
    type === "turn.failed" ? String(fields(error).message ?? "the turn failed") : undefined,
};

export const profile: HostProfile = {
  name: "codex",
  title: "Codex",
  program: "codex",
  comesWith: "@openai/codex",
  verified: "0.166.0",
  capabilities: { hook: dialect.capabilities },
  process: launched,
  marks: ["CODEX_SANDBOX", "CODEX_THREAD_ID"],
  sandboxes: ["codex", "codex-linux-san"],
  mcp: { inCall: sessionIn },
  hook: {
    dialect,
    plugin,
    placesOf,
    handlers: {
      countsIn: "seconds",
      timeoutsMs: { "session-end": 3_000 }, // it gives no more, and says so every time if more is asked for
    },
    fileEdits: ({ places, launch, want, read, hooks }) => [
      jsonFile(places.hooks, want, [hooks]),
      ...tomlEdits(places, ownServer(launch.node, launch.cliEntry), want, () =>
        reviewsAfter(places.hooks, read(places.hooks)),
      ),
    ],
    hasPlugin: (where) => {
      const text = textOf(placesOf("user", where).servers);
      const read = readToml(text);
      const names = (read.ok ? read.statements : []).flatMap(({ key }) => (key[0] === "plugins" ? (key[1] ?? []) : []));
      return [...new Set(names)].some(
        (name) => name.startsWith("tildone@") && tomlValueIn(text, ["plugins", name, "enabled"]) !== "false",
      );
    },
    switchedOff: (scope, where) => {
      const path = placesOf(scope, where).servers;
      const isFalse = (...key: string[]): boolean => tomlValueIn(textOf(path), key) === "false";
      return offIn(path, [
        [isFalse("features", "hooks"), "features.hooks is false", "no hook runs"],
        [
          isFalse("mcp_servers", "tildone", "enabled"),
          "mcp_servers.tildone.enabled is false",
          "the agent has no todo tools",
        ],
      ]);
    },
    askItself: hookTrust,
    afterInstall: "Codex runs no hook that you have not reviewed: open codex, type /hooks, and trust those of tildone.",
  },
};

function placesOf(scope: "user" | "project", { env, home, cwd }: Whereabouts): ConfigPlaces {
  const own = env.CODEX_HOME ?? join(home, ".codex");
  const folder = scope === "project" ? join(cwd, ".codex") : own;
  return { hooks: join(folder, "hooks.json"), servers: join(folder, "config.toml"), reviews: join(own, "config.toml") };
}

/** It names the session with every call, and its repositories. A plugin's server runs in the plugin's own folder. */
function sessionIn({ meta, args }: McpCall, { cwd, isNamed }: McpServer): ToldSession | undefined {
  const session = nameIn(meta, "sessionId") ?? nameIn(meta, "threadId");
  if (session === undefined) return undefined;
  const isPlugin = isNamed && existsSync(join(cwd, ".codex-plugin"));
  const [repository] = Object.keys(fields(fields(fields(meta)["x-codex-turn-metadata"]).workspaces));
  // Outside a repository our own hook says it. Only of a plugin: elsewhere the model alone could have written it.
  const works = repository ?? (isPlugin ? nameIn(args, FOLDER_ARGUMENT) : undefined);
  if (works !== undefined) return { session, cwd: works };
  return isPlugin ? { session, nowhere: NOWHERE } : { session };
}

const NOWHERE =
  "tildone does not know where this session works: Codex says it of repositories only, and tildone's hooks did not run. Review them with /hooks, or work inside a repository.";
