import { PERSONAS, type Persona } from "../../src/testing/index.ts";

const ESC = "is stopped with Esc in its terminal";

/** Played on the host's own screen: a key is the abort. */
export const isOnScreen = ({ name }: Persona): boolean => name === ESC;

/** All that are played: those of the engine, and what only a screen has. */
export const PLAYED: readonly Persona[] = PERSONAS.flatMap((persona) =>
  persona.name === "is aborted by the human" ? [persona, { ...persona, name: ESC }] : [persona],
);
