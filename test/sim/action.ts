import type { Trigger } from "../../src/core/react/index.ts";
import type { Failure, TurnOutcome } from "../../src/core/run/index.ts";
import type { EditCommand, NativeItem, WriteRequest } from "../../src/core/todo/index.ts";
import type { StepAction } from "../../src/core/workflow/index.ts";

/**
 * One thing that happens in the world. Plain JSON with every choice in it: a list of actions is a history that can be
 * shortened and played again. An action that makes no sense where the world stands does nothing.
 */
export type Action =
  // the agent
  | {
      readonly do: "work";
      readonly state: "new" | "old" | "same";
      readonly call: "new" | "old" | "none";
      readonly command?: { readonly line: string; readonly passed: boolean };
    }
  | { readonly do: "mirror"; readonly items: readonly NativeItem[] }
  | { readonly do: "use"; readonly tokens: number }
  | {
      readonly do: "write";
      readonly write: WriteRequest;
      readonly by: "model" | "plan" | "subagent";
      readonly batch?: string;
    }
  | { readonly do: "edit"; readonly edit: EditCommand; readonly by: "model" | "subagent"; readonly batch?: string }
  | { readonly do: "step"; readonly action: StepAction }
  | {
      readonly do: "end";
      readonly outcome: TurnOutcome;
      readonly failure?: Failure["kind"];
      readonly resetInMs?: number;
      readonly text: string;
      readonly tokens: number;
      /** The hook that answers it dies before its answer is out, or right after. */
      readonly hookDies?: "before" | "after";
      readonly told: Told;
    }
  | { readonly do: "begin by itself"; readonly told: Told }
  | { readonly do: "ask" }
  | { readonly do: "answer" }
  | { readonly do: "ask approval" }
  | {
      readonly do: "answer approval";
      readonly outcome: "once" | "denied" | "timed_out";
      readonly from: "here" | "elsewhere";
    }
  // the host
  | { readonly do: "tell"; readonly trigger: Trigger; readonly told: Told }
  | { readonly do: "withdraw the nudge" }
  | { readonly do: "go back"; readonly which: number }
  // the user
  | { readonly do: "prompt"; readonly first: "words" | "turn"; readonly hookDies?: "before" | "after" }
  | { readonly do: "start"; readonly what: "workflow" | "goal" }
  | { readonly do: "say"; readonly trigger: Trigger; readonly from: "here" | "elsewhere" }
  | { readonly do: "attach"; readonly session: string }
  // the world
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "jump"; readonly ms: number }
  | { readonly do: "nudges from now on"; readonly how: NudgeMode }
  | { readonly do: "words from now on"; readonly how: WordsMode }
  | { readonly do: "rechecks from now on"; readonly how: RecheckMode }
  | { readonly do: "checks from now on"; readonly how: CheckMode }
  | { readonly do: "port from now on"; readonly port: PortName; readonly how: PortMode }
  | { readonly do: "finish"; readonly what: "nudge" | "words" | "checks" | "recheck" | "port"; readonly well: boolean }
  | { readonly do: "arrive"; readonly which: number }
  | { readonly do: "echo"; readonly which: number }
  | { readonly do: "crash" }
  /** The process that writes next dies right after so many writes, before anything follows from the last of them. */
  | { readonly do: "die after writing"; readonly times: number }
  | { readonly do: "come back"; readonly goOn: boolean }
  | { readonly do: "second driver"; readonly goOn: boolean; readonly takesOver: boolean }
  | { readonly do: "store fails"; readonly times: number }
  | { readonly do: "folds are kept"; readonly well: boolean }
  | { readonly do: "screen"; readonly works: boolean }
  | { readonly do: "step back"; readonly ms: number }
  | { readonly do: "future event" };

/** What the machine does for a process: makes the log safe, looks at files, tries a check on the files from before, records them. */
export type PortName = "barrier" | "look" | "guard" | "first" | "checkpoint";
export type PortMode = "well" | "slow" | "fails";
/** How an event comes: once, twice, or some time later. */
export type Told = "once" | "twice" | "late";
/** What the host does with a nudge; `slow` leaves it open until the world finishes it. */
export type NudgeMode = "taken" | "announced first" | "refused" | "slow";
/** What the host says before something leaves: the truth, at once or later, that it is busy, that something changed, or nothing. */
export type RecheckMode =
  | "truth"
  | "slow"
  | "busy"
  | "fails"
  | "silent"
  | "read-only"
  | "awaits agents"
  | "interrupted";
export type WordsMode = "taken" | "refused" | "slow";
export type CheckMode = "pass" | "fail" | "slow" | "throw" | "suspect" | "change files";
