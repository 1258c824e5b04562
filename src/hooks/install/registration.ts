import { STOP_TIMEOUT_MS } from "../capabilities.ts";
import { EVENTS, type EventName } from "../happening.ts";
import type { HookProfile, HostWithHooks } from "../hook-profile.ts";

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
export function hookGroups({ hook }: HostWithHooks, commandOf: (event: EventName) => string): HookGroups {
  return Object.fromEntries(
    EVENTS.flatMap((event) =>
      (hook.dialect.names[event] ?? []).map((name) => [name, [{ hooks: [handler(hook, event, commandOf(event))] }]]),
    ),
  );
}

function handler({ handlers }: HookProfile, event: EventName, command: string): Handler {
  const timeoutMs = handlers.timeoutsMs?.[event] ?? (event === "stop" ? STOP_TIMEOUT_MS : OTHER_TIMEOUT_MS);
  return {
    type: "command",
    command,
    timeout: handlers.countsIn === "milliseconds" ? timeoutMs : timeoutMs / 1000,
    ...(handlers.areNamed && { name: handlerName(event) }),
  };
}

export const handlerName = (event: EventName): string => `tildone-${event}`;

const OTHER_TIMEOUT_MS = 20_000;
