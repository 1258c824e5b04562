import type { StopReason } from "../reason/index.ts";
import { decisionText } from "../run/index.ts";

/** Why a turn is ended: what refused calls of it answer, and what its end is called. */
export const brakeText = (reason: StopReason, detail?: string): string =>
  reason === "blocked"
    ? `tildone ends this turn: ${detail ?? "its todo is set aside"}. It is set aside; the others continue.`
    : `tildone ends this turn. ${decisionText({ type: "stop", rule: "", reason, detail })}`;
