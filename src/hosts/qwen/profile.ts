import { join } from "node:path";
import {
  type ConfigPlaces,
  jsonFile,
  note,
  objectAt,
  offIn,
  readSettings,
  setting,
  textsAt,
  type Whereabouts,
} from "../../hooks/index.ts";
import { amount, blocksIn, ENDED_INSIDE_MS, fields, type HostProcess, type ReadSpend } from "../host-process.ts";
import type { HostProfile } from "../host-profile.ts";
import { dialect } from "./dialect.ts";

const OUTPUT = ["--output-format", "stream-json"];

const launched: HostProcess = {
  hasLauncher: true,
  endsWithinMs: ENDED_INSIDE_MS,
  toolsIn: ({ type, message }) =>
    type === "assistant" ? blocksIn(message, "tool_use") : -blocksIn(message, "tool_result"),
  takesSession: true,
  start: (session, prompt) => ["--session-id", session, "-p", prompt, ...OUTPUT],
  resume: (session, prompt) => ["--resume", session, "-p", prompt, ...OUTPUT],
  startWorkflow: (session, words) => launched.start(session, `tildone workflow ${words}`),
  model: (name) => ["--model", name],
  sessionIn: () => undefined,
  spend: { sees: "tokens", reader: spendReader },
  unknownSession: /No saved session found|session not found/i,
  failureIn: ({ type, is_error, error }) =>
    type === "result" && is_error === true ? String(fields(error).message ?? "the turn failed") : undefined,
};

export const profile: HostProfile = {
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  comesWith: "@qwen-code/qwen-code",
  verified: "0.24.4",
  capabilities: { hook: dialect.capabilities },
  process: launched,
  marks: ["QWEN_CODE_SESSION_ID"],
  mcp: {
    inEnvironment: ({ env: { QWEN_CODE_SESSION_ID: session }, isNamed }) =>
      isNamed && session ? { session } : undefined,
  },
  hook: {
    dialect,
    placesOf,
    handlers: { countsIn: "seconds" }, // what is below 1000; above it are milliseconds
    fileEdits: ({ places, want, hooks, serving }) => [
      jsonFile(places.hooks, want, [
        hooks,
        serving((server) => ({ ...server, trust: true, alwaysLoadTools: true })),
        setting(["stopHookBlockingCap"], MOST_BLOCKS, want),
      ]),
    ],
    switchedOff: (scope, where) => {
      const path = placesOf(scope, where).hooks;
      const settings = readSettings(path);
      const excluded = textsAt(objectAt(settings, "mcp"), "excluded");
      return offIn(path, [
        [settings.disableAllHooks === true, "disableAllHooks is set", "no hook runs"],
        [excluded.includes("tildone"), "mcp.excluded names tildone", "the agent has no todo tools"],
      ]);
    },
    examine: ({ env }, all) => {
      const set =
        env.QWEN_CODE_STOP_HOOK_BLOCK_CAP ?? all.find(({ stopHookBlockingCap: cap }) => cap)?.stopHookBlockingCap;
      return Number(set ?? MOST_BLOCKS) < MOST_BLOCKS
        ? [note(`qwen: it ends a turn that was continued ${set} times; ${RAISE}`)]
        : [];
    },
  },
};

/** It ends a turn that was told to continue 8 times in a row, whatever was done in it; no more than this can be set. */
const MOST_BLOCKS = 100;
const RAISE = `stopHookBlockingCap in its settings.json, or QWEN_CODE_STOP_HOOK_BLOCK_CAP, takes up to ${MOST_BLOCKS}`;

function placesOf(scope: "user" | "project", { env, home, cwd }: Whereabouts): ConfigPlaces {
  const settings = join(
    scope === "project" ? join(cwd, ".qwen") : env.QWEN_HOME || join(home, ".qwen"),
    "settings.json",
  );
  return { hooks: settings, servers: settings };
}

/** Each answer comes with what it used. */
function spendReader(): ReadSpend {
  return ({ type, message }) => {
    if (type !== "assistant") return undefined;
    const { id, usage } = fields(message);
    const { input_tokens, output_tokens, cache_read_input_tokens } = fields(usage);
    const cacheRead = amount(cache_read_input_tokens);
    const input = Math.max(0, amount(input_tokens) - cacheRead);
    return { of: String(id), usage: { input, output: amount(output_tokens), cacheRead, cacheWrite: 0, cost: 0 } };
  };
}
