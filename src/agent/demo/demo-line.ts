import { basename } from "node:path";
import type { Envelope, Run, RunEvent } from "../../core/run/index.ts";
import { lineFor } from "../narrator.ts";

/** One line of the demo: who did it, and how it is meant. */
export interface DemoLine {
  readonly who: "agent" | "tildone" | "tool" | "demo" | "";
  readonly text: string;
  readonly tone: "plain" | "dim" | "good" | "bad" | "nudge" | "strong";
}

export const plain = (text: string): DemoLine => ({ who: "", text, tone: "plain" });
export const saidLine = (text: string): DemoLine => ({ who: "agent", text: `"${text}"`, tone: "plain" });

export function eventLines(event: Envelope, run: Run): readonly DemoLine[] {
  const refused = refusedClaim(event.event);
  if (refused) return [refused];
  return oneByOne(event).flatMap((each) => toldLine(each, run) ?? []);
}

/** Each check that ran has a line of its own. */
function oneByOne(envelope: Envelope): readonly Envelope[] {
  const { event } = envelope;
  if (event.type !== "round.ended" || event.receipts.length < 2) return [envelope];
  return event.receipts.map((receipt) => ({ ...envelope, event: { ...event, receipts: [receipt] } }));
}

function toldLine(event: Envelope, run: Run): DemoLine | undefined {
  const { type } = event.event;
  const text = type === "approval.answered" ? undefined : lineFor(event, run); // the demo said that it answers
  if (text === undefined) return undefined;
  const isNudge = type === "decision.made" && event.event.decision.type === "continue";
  return { who: "tildone", text, tone: isNudge ? "nudge" : GOOD.has(type) ? "good" : "plain" };
}

const GOOD: ReadonlySet<string> = new Set(["todo.completed", "round.ended"]);

/** The moment that the demo is about: the agent says it is done, and the check says it is not. */
function refusedClaim(event: RunEvent): DemoLine | undefined {
  if (event.type !== "round.ended") return undefined;
  const failed = event.receipts.filter(({ status }) => status === "failed");
  if (failed.length === 0) return undefined;
  const names = failed.map(({ command }) => lastWord(command)).join(", ");
  return { who: "tildone", text: `✗ claim refused: ${names} still fail${failed.length === 1 ? "s" : ""}`, tone: "bad" };
}

/** `node --test test/slug.test.js` is known by the file that it runs. */
const lastWord = (command: string): string => basename(command.trim().split(/\s+/).at(-1) ?? "");
