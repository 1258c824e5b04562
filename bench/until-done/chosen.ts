import { PERSONAS, type Persona } from "../../src/testing/index.ts";
import type { System } from "./cell.ts";

/** Beside every everyday persona, these stand for their kinds; the others differ in what tildone's core sees. */
const STAND_FOR_OTHERS = [
  "says ok",
  "alternates two calls",
  "reads something new for ever",
  "completes what is not done for ever",
  "marks everything done without work",
  "edits the test instead of the code",
  "does what is asked",
  "reads for fifteen turns before it writes",
];

/** What a supervisor is for: what ends the host's process, or must be seen through it. The rest is the work of the same adapter as without. */
const SUPERVISED = [
  "fails, then recovers",
  "is rate-limited",
  "overflows its context for good",
  "is aborted by the human",
  "stops after each todo",
  "says ok",
];
export const endsTheHost = ({ name }: Persona): boolean => SUPERVISED.includes(name);

export type Choice =
  | { readonly type: "default" }
  | { readonly type: "full" }
  | { readonly type: "named"; readonly names: readonly string[] };

export function personasOf(choice: Choice): readonly Persona[] {
  switch (choice.type) {
    case "default":
      return PERSONAS.filter(({ kind, name }) => kind === "everyday" || STAND_FOR_OTHERS.includes(name));
    case "full":
      return PERSONAS;
    case "named":
      return PERSONAS.filter(({ name }) => choice.names.includes(name));
  }
}

/** Whether a cell belongs to a run: a default one leaves out what another cell says already. */
export const isAskedFor = (choice: Choice, persona: Persona, { onlyInFull, isFor }: System): boolean =>
  choice.type === "full" || (!onlyInFull && (isFor?.(persona) ?? true));
