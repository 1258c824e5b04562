import type { ToolKind } from "../core/workflow/index.ts";
import type { Dialect, HostFiles } from "./dialect.ts";
import type { EventName, Happening, Past } from "./happening.ts";
import { type Payload, textAt } from "./payload.ts";
import { toolOf } from "./tools.ts";

type Read = (payload: Payload, files: HostFiles) => Happening | undefined;

export interface OwnReading {
  /** What its tools do. */
  readonly kinds: Readonly<Record<string, readonly ToolKind[]>>;
  /** How the turn before this moment ended. */
  readonly past: (payload: Payload, files: HostFiles) => Past;
  /** Moments that it tells in its own way. */
  readonly own: Partial<Readonly<Record<EventName, Read>>>;
}

/** How a host's payloads read: what all tell alike stands here. */
export function readsAs({ kinds, past, own }: OwnReading): Dialect["read"] {
  const reads: OwnReading["own"] = {
    "session-start": (payload, files) => ({
      type: "session.started",
      afterCompaction: payload.source === "compact",
      before: () => past(payload, files),
    }),
    "pre-tool": (payload) => ({
      type: "call.asked",
      tool: toolOf(textAt(payload, "tool_name") ?? "", kinds),
      args: payload.tool_input,
      bySubagent: isSubagent(payload),
    }),
    compaction: () => ({ type: "compacting" }),
    // A host may run the hook for the end of a session when you interrupt it.
    "host-gone": (_payload, { hostIsGone }) => ({
      type: "host.left",
      isGone: hostIsGone,
      wasInterrupted: () => false,
    }),
    ...own,
  };
  // A subagent's calls are asked about; its other moments are its own.
  return (event, payload, files) =>
    isSubagent(payload) && event !== "pre-tool" ? undefined : reads[event]?.(payload, files);
}

const isSubagent = (payload: Payload): boolean => textAt(payload, "agent_id") !== undefined;
