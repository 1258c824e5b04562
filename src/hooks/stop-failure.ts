import type { Happening } from "./happening.ts";
import { type Payload, textAt } from "./payload.ts";

/** What the hook `StopFailure` tells, in the hosts that have one. */
export function stopFailure(payload: Payload): Happening & { readonly type: "failed" } {
  const code = textAt(payload, "error") ?? "";
  const details = textAt(payload, "error_details") ?? textAt(payload, "last_assistant_message") ?? "";
  return { type: "failed", said: { code, message: `${code}: ${details}`.slice(0, 1000) } };
}
