import type { LeftOut, Report } from "./report.ts";

/** Whether the log that a report is drawn from is as it was written. */
export interface LogState {
  readonly sealed: number;
  readonly unsealed: number;
  readonly signed: number;
  readonly unverified: number;
  readonly breaks: readonly { readonly seq: number; readonly problem: string }[];
}

/** Empty if nothing is left out. */
export function leftOutText({ leftOut }: Pick<Report, "leftOut">, what: LeftOut): string {
  const count = leftOut[what];
  if (count === 0) return "";
  const [one, many] = LEFT_OUT[what];
  return `${count} earlier ${count === 1 ? `${one} is` : `${many} are`} left out; \`tildone log\` prints all of them.`;
}

const LEFT_OUT: Readonly<Record<LeftOut, readonly [one: string, many: string]>> = {
  events: ["event", "events"],
  decisions: ["decision", "decisions"],
  approvals: ["approval", "approvals"],
  cutOff: ["call", "calls"],
  removed: ["todo", "todos"],
  notAtTerminal: ["message", "messages"],
  refused: ["attempt", "attempts"],
};

export const unreadText = (count: number): string =>
  count > 0
    ? `${count === 1 ? "1 event" : `${count} events`} cannot be read and ${count === 1 ? "is" : "are"} left out; \`tildone log\` names ${count === 1 ? "it" : "them"}.`
    : "";

/** What a reader may conclude from the seals of a log, and what not. */
export function logStateText({ sealed, unsealed, signed, unverified, breaks }: LogState): string {
  if (breaks.length > 0) {
    const places = breaks.map(({ seq, problem }) => `event ${seq} ${problem}`).join("; ");
    return `The log was changed after it was written: ${places}. Do not rely on this run.`;
  }
  return [
    `No change found in ${sealed} sealed ${sealed === 1 ? "event" : "events"}.`,
    ...(unsealed > 0 ? [`${unsealed} older ${unsealed === 1 ? "event has" : "events have"} no seal.`] : []),
    signedText(sealed, signed, unverified),
  ].join(" ");
}

function signedText(sealed: number, signed: number, unverified: number): string {
  if (unverified > 0) return "It is signed; set TILDONE_LOG_KEY to verify the signatures.";
  if (signed > 0 && signed === sealed) return "Every event is signed.";
  if (signed > 0) return `${signed} of them are signed.`;
  return "It is not signed, so this shows accidents, not forgery.";
}
