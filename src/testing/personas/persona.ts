import type { Limits } from "../../core/continuation/index.ts";
import type { StopReason } from "../../core/reason/index.ts";
import type { Budget } from "../../core/run/index.ts";

/**
 * How a model behaves, as a readable script that any host can play: you ask, the model is asked again and again,
 * and each time it speaks, calls tools or fails. A step without calls ends its turn; what is asked next begins another.
 */
export interface Persona {
  /** Reads as a sentence: "A model that ..." */
  readonly name: string;
  readonly kind: PersonaKind;
  /** What you type at the beginning. */
  readonly asks: string;
  /** The files of the project before it begins. */
  readonly project: Readonly<Record<string, string>>;
  /** What you want to pass before the run counts as done. */
  readonly checks: readonly string[];
  /** What a shell does to the project before the run begins; `$HOME` is the person's own. */
  readonly setUp?: string;
  /** Without it the project is a repository with one commit. */
  readonly isBare?: true;
  /** More than the usual environment of the person. */
  readonly env?: Readonly<Record<string, string>>;
  /** Protected files that you let the model change. */
  readonly touches?: readonly string[];
  readonly limits: Partial<Limits>;
  readonly budget: Budget;
  /** A workflow that you start, where the host has any. */
  readonly workflow?: { readonly key: string; readonly phases: readonly string[] };
  /** Each answer is computed from what the model sees; the first sight goes unseen, as it is what you ask. */
  readonly plays: () => Generator<Step, void, View>;
  /** How a run ends that tildone carries, with the words that its reason must hold, and how many nudges it may take. */
  readonly ends: { readonly reason: StopReason; readonly says?: string; readonly nudges: Bounds };
}

/** How a persona behaves. */
export type PersonaKind = "dishonest" | "honest" | "runaway" | "long" | "everyday" | "asking";

export interface Bounds {
  readonly atLeast: number;
  readonly atMost: number;
}

/** What a model has before it when it is asked. */
export interface View {
  /** Your newest message, or the newest nudge. */
  readonly user: string;
  /** What its last calls answered, in order; none at the beginning of a turn. */
  readonly results: readonly string[];
  /** Which turn it is, from 1. */
  readonly turn: number;
}

export interface Step {
  readonly say?: string;
  readonly calls?: readonly PersonaCall[];
  /** The provider fails instead of answering. */
  readonly fails?: { readonly kind: "rate_limit" | "overload" | "context_full" | "other"; readonly resetInMs?: number };
  /** What else happens while the model is at it. */
  readonly meanwhile?: Meanwhile;
}

/** What you do while a persona works. */
export type Meanwhile =
  /** You abort the turn. */
  | "human aborts"
  /** The host compacts the context before it continues. */
  | "host compacts"
  /** An agent that the model started works for a minute after the turn. */
  | "agent works on";

/** Tools by neutral names: the todo tools, and what every host has under some name. */
export type PersonaCall =
  | { readonly tool: "write_todos" | "edit_todos" | "list_todos" | "workflow_step"; readonly input: object }
  | { readonly tool: "write_file"; readonly input: { readonly path: string; readonly content: string } }
  | { readonly tool: "read_file"; readonly input: { readonly path: string } }
  | { readonly tool: "run"; readonly input: { readonly command: string } };

/** For hosts whose only sure tool is a shell. */
export function asCommand(call: PersonaCall): string | undefined {
  switch (call.tool) {
    case "run":
      return call.input.command;
    case "read_file":
      return `cat ${quoted(call.input.path)}`;
    case "write_file": {
      const directory = call.input.path.replace(/[^/]*$/, "");
      const make = directory === "" ? "" : `mkdir -p ${quoted(directory)} && `;
      return `${make}printf %s ${quoted(call.input.content)} > ${quoted(call.input.path)}`;
    }
    default:
      return undefined;
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a model answers when its script is over. */
export const SILENT: Step = { say: "I have nothing more to say." };
