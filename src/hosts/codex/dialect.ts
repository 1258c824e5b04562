import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FOLDER_ARGUMENT } from "../../core/words/index.ts";
import type { ToolKind } from "../../core/workflow/index.ts";
import {
  blocksOrTells,
  type Dialect,
  type EndedCall,
  type Happening,
  type HostFiles,
  hookCapabilities,
  nativeItem,
  objectAt,
  objectsAt,
  type Past,
  type Payload,
  readPayload,
  readsAs,
  textAt,
  toolOf,
} from "../../hooks/index.ts";

const KINDS: Readonly<Record<string, readonly ToolKind[]>> = {
  Bash: ["@shell"],
  apply_patch: ["@write"],
  view_image: ["@read"],
  web_search: ["@network"],
  tool_search: ["@control"],
  request_user_input: ["@control"],
  update_plan: ["@control"],
  // A hook that refused these sent an agent round in circles for thousands of calls.
  get_goal: ["@control"],
  create_goal: ["@control"],
  update_goal: ["@control"],
};

export const dialect: Dialect = {
  host: "codex",
  capabilities: hookCapabilities(false, { mode: true }),
  resumed: (session) => `codex resume ${session}`,
  transcript: (session, { env, home }) => rolloutOf(join(env.CODEX_HOME ?? join(home, ".codex"), "sessions"), session),
  names: {
    "session-start": ["SessionStart"],
    prompt: ["UserPromptSubmit"],
    "pre-tool": ["PreToolUse"],
    "post-tool": ["PostToolUse"],
    stop: ["Stop"],
    compaction: ["PreCompact"],
    "session-end": ["SessionEnd"],
  },
  hidesTools: true,
  announcesTurns: false,
  hidesNudges: false,
  // Its calls name the repository of the session; outside one, a plugin's server knows no folder but its own.
  addsTo: (payload, env) => {
    const cwd = textAt(payload, "cwd");
    return env.PLUGIN_ROOT === undefined || cwd === undefined ? undefined : { [FOLDER_ARGUMENT]: cwd };
  },
  cutIn: (transcript) => {
    const edges = turnEdges(transcript);
    const [line, past] = [edges.at(-1), endIn(edges)];
    if (line === undefined || isStart(line) || past.how === "unknown") return undefined;
    return past.how === "failed" ? { line, failure: past.failure } : { line };
  },
  read: readsAs({
    kinds: KINDS,
    past,
    own: {
      prompt: (payload, files) => {
        const text = textAt(payload, "prompt") ?? "";
        return {
          type: "prompted",
          from: text.startsWith("<subagent_notification>") ? "host" : "human",
          text,
          turn: textAt(payload, "turn_id") ?? "",
          before: () => past(payload, files),
        };
      },
      "post-tool": (payload, { transcriptWith }) => ({
        type: "calls.ended",
        calls: [endedCall(payload, transcriptWith)],
        interrupted: false,
      }),
      stop: (payload, { transcriptSize }) => {
        const size = transcriptSize();
        const turn = textAt(payload, "turn_id");
        return {
          type: "stopped",
          text: textAt(payload, "last_assistant_message") ?? "",
          readOnly: payload.permission_mode === "plan",
          turn,
          // Codex runs the same hook once for the user's file and once for the project's.
          ...(size !== undefined && { end: `${turn}:${size}` }),
        };
      },
      "session-end": (_payload, { transcriptEnd }) => sessionEnded(transcriptEnd()),
    },
  }),
  isRead: (line) => line.includes('"type":"response_item"') && /"role":"(?:developer|user)"/.test(line),
  write: (event, answer) => {
    if (answer.type === "end" && event !== "pre-tool") return undefined;
    // Codex sets a full stop behind it.
    const told = answer.type === "end" ? { ...answer, reason: answer.reason.replace(/\.$/, "") } : answer;
    return blocksOrTells(dialect.names[event]?.[0] ?? "", told);
  },
};

/** In one folder a day, below its month and its year. A session that continues after weeks stands in that of its first day. */
function rolloutOf(sessions: string, session: string): string | undefined {
  const newest = (folder: string): readonly string[] => readdirSync(folder).sort().reverse();
  let left = MOST_DAYS;
  for (const year of newest(sessions))
    for (const month of newest(join(sessions, year)))
      for (const day of newest(join(sessions, year, month))) {
        const folder = join(sessions, year, month, day);
        const name = newest(folder).find((each) => each.endsWith(`-${session}.jsonl`));
        if (name !== undefined) return join(folder, name);
        if (--left === 0) return undefined;
      }
  return undefined;
}
const MOST_DAYS = 100;

/**
 * Codex has no hook for a failure, but its transcript says how the last turn ended: aborted, failed, or completed - and then there
 * was a stop hook.
 */
function sessionEnded(transcript: string): Happening | undefined {
  const past = endIn(turnEdges(transcript));
  if (past.how === "interrupted") return { type: "session.ended" };
  return past.how === "failed" ? { type: "session.ended", failure: past.failure } : undefined;
}

/** How the turn before this prompt ended; a process that is killed writes no end. The turn of the prompt may have begun already. */
function past(payload: Payload, { transcriptEnd }: HostFiles): Past {
  const turn = textAt(payload, "turn_id") ?? "";
  const edges = turnEdges(transcriptEnd()).filter((line) => turn === "" || !line.includes(turn));
  return isStart(edges.at(-1)) ? { how: "unknown" } : endIn(edges);
}

const isStart = (line = ""): boolean => line.includes('"type":"task_started"');

function endIn(edges: readonly string[]): Past {
  const end = edges.findLast((line) => !isStart(line));
  if (end?.includes('"type":"turn_aborted"')) return { how: "interrupted" };
  const failure = textAt(objectAt(objectAt(parsed(end), "payload"), "error"), "message");
  return failure === undefined ? { how: "unknown" } : { how: "failed", failure };
}

const turnEdges = (transcript: string): readonly string[] =>
  transcript.split("\n").filter((line) => /"type":"(?:task_started|turn_aborted|task_complete)"/.test(line));

/** The payload has no exit code; the transcript has, where it is written by now. */
function exitOf(transcriptWith: HostFiles["transcriptWith"], id: string): boolean | undefined {
  const mark = `"id":${JSON.stringify(id)}`;
  const end = transcriptWith(mark)
    .split("\n")
    .findLast((line) => line.includes('"type":"item_completed"') && line.includes(mark));
  const { exit_code: exit } = objectAt(objectAt(parsed(end), "payload"), "item");
  return typeof exit === "number" ? exit === 0 : undefined;
}

function parsed(line: string | undefined): Payload {
  try {
    return readPayload(line ?? "{}") ?? {};
  } catch {
    return {}; // the beginning of the line is not in what was read
  }
}

function endedCall(payload: Payload, transcriptWith: HostFiles["transcriptWith"]): EndedCall {
  const name = textAt(payload, "tool_name") ?? "";
  const call = { tool: toolOf(name, KINDS), args: payload.tool_input, result: payload.tool_response };
  const line = textAt(objectAt(payload, "tool_input"), "command");
  if (name === "Bash" && line !== undefined) {
    const id = textAt(payload, "tool_use_id") ?? "";
    const output = textAt(payload, "tool_response") ?? "";
    return { ...call, command: { line, output, passed: () => exitOf(transcriptWith, id) } };
  }
  if (name !== "update_plan") return call;
  return { ...call, list: objectsAt(objectAt(payload, "tool_input"), "plan").map(nativeItem("step")) };
}
