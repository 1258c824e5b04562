import type { Dialect, HostName } from "../dialect.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";

export const DIALECTS: Readonly<Record<HostName, Dialect>> = { "claude-code": claudeCode, codex, gemini };
