import { scripted } from "../../src/hosts/opencode/scripted.ts";
import type { Call, PersonaCall } from "../../src/testing/index.ts";

/** Our tools in the words of OpenCode's list, for one conversation. */
export function nativeTools(): (call: PersonaCall) => Call {
  const { ours } = scripted.tools();
  return ({ tool, input }) => ours(tool, input);
}

/** The list is one call that says all of it: only the last of an answer is made. */
export function lastList(calls: readonly Call[]): readonly Call[] {
  const last = calls.findLast(([tool]) => tool === "todowrite");
  return calls.filter((call) => call[0] !== "todowrite" || call === last);
}
