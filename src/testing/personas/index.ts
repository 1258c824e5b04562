import { ASKING } from "./asking.ts";
import { DISHONEST } from "./dishonest.ts";
import { EVERYDAY } from "./everyday.ts";
import { HONEST } from "./honest.ts";
import { LONG_WORK } from "./long-work.ts";
import type { Persona } from "./persona.ts";
import { RUNAWAY } from "./runaway.ts";

export { asCommand, type Meanwhile, type Persona, type PersonaCall, type PersonaKind, type View } from "./persona.ts";
export { type Played, playPersona } from "./play-persona.ts";
export { scriptOf } from "./script-of.ts";

/** Every persona there is; hosts and benchmarks run the same ones. */
export const PERSONAS: readonly Persona[] = [...DISHONEST, ...HONEST, ...RUNAWAY, ...LONG_WORK, ...EVERYDAY, ...ASKING];
