import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { McpCall } from "../host-profile.ts";
import { PROFILES } from "../index.ts";
import { type McpIdentity, type McpSession, sessionOf } from "./session-of.ts";

const CODEX = { sessionId: "c1", "x-codex-turn-metadata": { workspaces: { "/repo": {} } } };
const TELLS = Object.fromEntries(Object.values(PROFILES).map(({ name, mcp }) => [name, mcp]));
const PLUGIN = mkdtempSync(join(tmpdir(), "tildone-plugin-"));
mkdirSync(join(PLUGIN, ".codex-plugin"));
const ALONE = { host: "mcp", session: "connection", hasHooks: false };

test.each<[string, Pick<Partial<McpIdentity>, "host" | "env" | "cwd">, McpCall, McpSession]>([
  ["a plain client", {}, {}, ALONE],
  ["Claude Code", { env: { CLAUDE_CODE_SESSION_ID: "s" } }, {}, { host: "claude-code", session: "s", hasHooks: false }],
  [
    "Claude Code with our hooks",
    { host: "claude-code", env: { CLAUDE_CODE_SESSION_ID: "s", CLAUDE_PROJECT_DIR: "/p" } },
    {},
    { host: "claude-code", session: "s", hasHooks: true, cwd: "/p" },
  ],
  ["Codex", { host: "codex" }, { meta: CODEX }, { host: "codex", session: "c1", hasHooks: true, cwd: "/repo" }],
  [
    "Codex inside Claude Code",
    { host: "codex", env: { CLAUDE_CODE_SESSION_ID: "s" } },
    { meta: CODEX },
    { host: "codex", session: "c1", hasHooks: true, cwd: "/repo" },
  ],
  [
    "Codex' plugin outside a repository, told by our hook",
    { host: "codex", cwd: PLUGIN },
    { meta: { sessionId: "c1" }, args: { tildone_folder: "/p" } },
    { host: "codex", session: "c1", hasHooks: true, cwd: "/p" },
  ],
  [
    "Codex without a plugin, where only the model can have written the folder",
    { host: "codex" },
    { meta: { sessionId: "c1" }, args: { tildone_folder: "/p" } },
    { host: "codex", session: "c1", hasHooks: true },
  ],
  [
    "Codex' plugin outside a repository, where our hook did not run",
    { host: "codex", cwd: PLUGIN },
    { meta: { sessionId: "c1" } },
    { host: "codex", session: "c1", hasHooks: true, nowhere: expect.stringContaining("/hooks") },
  ],
  ["Codex without a word of its session", { host: "codex" }, {}, ALONE],
  [
    "Gemini, told by our hook",
    { host: "gemini" },
    { args: { tildone_session: "g" } },
    { host: "gemini", session: "g", hasHooks: true },
  ],
  ["Gemini whose hook did not run", { host: "gemini" }, { args: {} }, ALONE],
  ["another client that sends the argument", {}, { args: { tildone_session: "g" } }, ALONE],
  ["a session that is no text", { host: "codex" }, { meta: { sessionId: 7, threadId: "" } }, ALONE],
])("%s", (_who, identity, call, expected) =>
  expect(sessionOf({ env: {}, cwd: tmpdir(), tells: TELLS, connection: "connection", ...identity }, call)).toEqual(
    expected,
  ),
);
