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

export function personasOf(choice: Choice): readonly Persona[] {
  switch (choice.type) {
    case "default":
      return PLAYED.filter(({ name }) => BY_DEFAULT.includes(name));
    case "full":
      return PLAYED;
    case "named":
      return PLAYED.filter(({ name }) => choice.names.includes(name));
  }
}

/** Whether a system belongs to a run: a default one leaves out another way to start what is played anyway. */
export const isAskedFor = (choice: Choice, { onlyInFull }: System): boolean => choice.type === "full" || !onlyInFull;
