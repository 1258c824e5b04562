import type { Failure } from "../core/run/index.ts";
import type { Happening } from "./happening.ts";
import { type Payload, textAt } from "./payload.ts";

/** What the hook `StopFailure` tells, in the hosts that have one. */
export function stopFailure(payload: Payload): Happening & { readonly type: "failed" } {
  const error = textAt(payload, "error") ?? "";
  const details = textAt(payload, "error_details") ?? textAt(payload, "last_assistant_message") ?? "";
  const kind = (Object.hasOwn(KINDS, error) ? KINDS[error] : undefined) ?? "other";
  return { type: "failed", failure: { kind, message: `${error}: ${details}`.slice(0, 1000) } };
}

const KINDS: Readonly<Record<string, Failure["kind"]>> = {
  rate_limit: "rate_limit",
  server_error: "overload",
  overloaded: "overload",
  max_output_tokens: "host_limit",
  loop_detected: "host_limit",
};
