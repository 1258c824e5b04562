import { type Decision, STOP, WAIT } from "../continuation/index.ts";

/** A decision in one sentence, for status lines, notices and `tildone why`. */
export function decisionText(decision: Decision): string {
  switch (decision.type) {
    case "continue":
      return decision.after > 0 ? `Goes on in ${Math.ceil(decision.after / 1000)} s.` : "Goes on.";
    case "wait":
      return WAIT[decision.reason];
    case "stop":
      return decision.detail ? `${STOP[decision.reason].says} (${decision.detail})` : STOP[decision.reason].says;
  }
}
