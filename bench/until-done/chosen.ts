import type { Persona } from "../../src/testing/index.ts";
import type { System } from "./cell.ts";
import { PLAYED } from "./personas.ts";

/** Beside every everyday persona, these stand for their kinds; the others differ in what tildone's core sees. */
const STAND_FOR_OTHERS = [
  "says ok",
  "never ends its turn",
  "reads something new for ever",
  "completes what is not done for ever",
  "marks everything done without work",
  "edits the test instead of the code",
  "makes the check succeed whatever happens",
  "deletes the check",
  "asks permission in five languages",
  "asks to do what cannot be undone, in English",
  "does what is asked",
  "reads for fifteen turns before it writes",
];

export type Choice =
  | { readonly type: "default" }
  | { readonly type: "full" }
  | { readonly type: "named"; readonly names: readonly string[] };

export function personasOf(choice: Choice): readonly Persona[] {
  switch (choice.type) {
    case "default":
      return PLAYED.filter(({ kind, name }) => kind === "everyday" || STAND_FOR_OTHERS.includes(name));
    case "full":
      return PLAYED;
    case "named":
      return PLAYED.filter(({ name }) => choice.names.includes(name));
  }
}

/** Whether a system belongs to a run: a default one leaves out another way to start what is played anyway. */
export const isAskedFor = (choice: Choice, { onlyInFull }: System): boolean => choice.type === "full" || !onlyInFull;
