import { clipLine } from "../text/index.ts";
import type { Effect } from "./call.ts";
import type { CutCall } from "./event.ts";

/** A call whose result was lost with its process, for the user and for the agent: neither can know better. */
export const cutCallText = ({ tool, what, effect }: CutCall): string =>
  `cut off: ${tool} "${clipLine(what, 200)}" ${SAYS[effect]}`;

const SAYS = {
  none: "did not begin",
  done: "did run; only its result was lost",
  failed: "ran and failed; its result was lost",
  unknown: "may or may not have run",
} as const satisfies Record<Effect, string>;
