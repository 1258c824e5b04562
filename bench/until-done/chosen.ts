import { DEFAULTS } from "../../src/core/continuation/index.ts";
import type { ContextMode } from "../../src/core/workflow/index.ts";
import type { Persona } from "../../src/testing/index.ts";
import type { System } from "./cell.ts";
import { PLAYED } from "./personas.ts";

/** One for each kind of behaviour; the others differ in what tildone's core sees, and are played with --full. */
const BY_DEFAULT = [
  "does what is asked",
  "stops after each todo",
  "claims completion too early",
  "asks permission in five languages",
  "asks a real question",
  "asks to do what cannot be undone, in English",
  "fails, then recovers",
  "is rate-limited",
  "overflows its context and is compacted",
  "overflows its context for good",
  "is aborted by the human",
  "is stopped with Esc in its terminal",
  "waits for background work",
  "says ok",
  "never ends its turn",
  "marks everything done without work",
  "makes the check succeed whatever happens",
];

export type Choice =
  | { readonly type: "default" }
  | { readonly type: "full" }
  | { readonly type: "named"; readonly names: readonly string[] };

/** `context`: where tildone's agents begin each todo. */
export function personasOf(choice: Choice, context: ContextMode = "same"): readonly Persona[] {
  return PLAYED.filter(({ name }) => isChosen(choice, name)).map((persona) => ({
    ...persona,
    limits: { ...persona.limits, ...(context !== "same" && { context: { ...DEFAULTS.context, mode: context } }) },
  }));
}

function isChosen(choice: Choice, name: string): boolean {
  switch (choice.type) {
    case "default":
      return BY_DEFAULT.includes(name);
    case "full":
      return true;
    case "named":
      return choice.names.includes(name);
  }
}

/** Whether a system belongs to a run: a default one leaves out another way to start what is played anyway. */
export const isAskedFor = (choice: Choice, { onlyInFull }: System): boolean => choice.type === "full" || !onlyInFull;
