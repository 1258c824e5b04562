import type { CallEvent } from "../call/index.ts";
import type { Spoken } from "../speaker/index.ts";
import type { TodoEvent } from "../todo/index.ts";
import type { WorkflowEvent } from "../workflow/index.ts";
import type { AnswerEvent } from "./events/answer.ts";
import type { CheckpointEvent } from "./events/checkpoint.ts";
import type { ConversationEvent } from "./events/conversation.ts";
import type { DecisionEvent } from "./events/decision.ts";
import type { HostEvent } from "./events/host.ts";
import type { HumanEvent } from "./events/human.ts";
import type { LifeEvent } from "./events/life.ts";
import type { NotificationEvent } from "./events/notification.ts";
import type { ProofEvent } from "./events/proof.ts";
import type { TurnEvent } from "./events/turn.ts";
import type { WordsEvent } from "./events/words.ts";
import type { Millis } from "./run.ts";

/** Everything that can stand in a log. `v` of the envelope is the version of its type. */
export type RunEvent = PlanEvent | LedgerEvent | CallEvent;

/** What a host's session tree may rewind. */
export type PlanEvent = TodoEvent | WorkflowEvent;

export type Actor = "human" | "plan" | "model" | "subagent" | "engine" | "host";

/** An event with its place in the log, its time and its author. */
export interface Envelope {
  readonly seq: number;
  readonly at: Millis;
  readonly by: Actor;
  readonly v: number;
  readonly event: RunEvent & Said;
}

/** One that the log has not numbered yet. */
export type NewEvent = Omit<Envelope, "seq">;

/** Stands on every event that you caused, whatever its type, and on what was refused in your name. */
export interface Said {
  /** Where you said it; absent in old logs, and where it was not looked at. */
  readonly from?: Spoken;
}

export type LedgerEvent =
  | LifeEvent
  | HumanEvent
  | WordsEvent
  | TurnEvent
  | AnswerEvent
  | DecisionEvent
  | ProofEvent
  | CheckpointEvent
  | ConversationEvent
  | HostEvent
  | NotificationEvent;

/** A file of settings that counts for nothing, and why. `file` is our own name for it: what it says stands in `says` only. */
export interface DroppedFile {
  readonly file: string;
  readonly line?: number;
  readonly says: string;
}

/** The model as you named it; a resumed run asks the same one. */
export interface ModelChoice {
  readonly model?: string;
  readonly baseUrl?: string;
}

/** One word of yours may hold several runs; `unhold` releases them together. */
export interface HoldBatch {
  readonly id: string;
  /** Where it was said. */
  readonly cwd: string;
}

export type TurnOutcome = "completed" | "aborted" | "failed";
export type InterruptHow = "abort" | "key" | "dismissed" | "denied" | "signal";

/** What a turn used; a host that cannot measure reports zeros and says so in its capabilities. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
}
export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

export const addUsage = (a: Usage, b: Usage, sign: 1 | -1 = 1): Usage => ({
  input: a.input + sign * b.input,
  output: a.output + sign * b.output,
  cacheRead: a.cacheRead + sign * b.cacheRead,
  cacheWrite: a.cacheWrite + sign * b.cacheWrite,
  cost: a.cost + sign * b.cost,
});
