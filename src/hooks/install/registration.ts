import { STOP_TIMEOUT_MS } from "../capabilities.ts";
import type { HostName } from "../dialect.ts";
import { DIALECTS } from "../dialects/index.ts";
import { EVENTS, type EventName } from "../happening.ts";

/** How a host's configuration names a hook. Codex trusts it by these very bytes, so nothing in it changes between releases. */
export interface Handler {
  readonly type: "command";
  readonly command: string;
  /** In the host's own unit. */
  readonly timeout: number;
  readonly name?: string;
}
export type HookGroups = Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>>;

/** Every hook of a host under the host's own names of its moments. */
export function hookGroups(host: HostName, commandOf: (event: EventName) => string): HookGroups {
  const { names } = DIALECTS[host];
  return Object.fromEntries(
    EVENTS.flatMap((event) =>
      (names[event] ?? []).map((name) => [name, [{ hooks: [handler(host, event, commandOf(event))] }]]),
    ),
  );
}

function handler(host: HostName, event: EventName, command: string): Handler {
  const timeoutMs = TIMEOUTS_MS[`${host} ${event}`] ?? TIMEOUTS_MS[event] ?? OTHER_TIMEOUT_MS;
  return {
    type: "command",
    command,
    timeout: host === "gemini" ? timeoutMs : timeoutMs / 1000, // Gemini alone counts milliseconds
    ...(host === "gemini" && { name: `tildone-${event}` }),
  };
}

const OTHER_TIMEOUT_MS = 20_000;
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  stop: STOP_TIMEOUT_MS,
  // Codex gives no more at the end of a session, and says so every time if more is asked for.
  "codex session-end": 3_000,
};
