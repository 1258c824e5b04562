import { type Kind, oneOf } from "./kind.ts";

/** From loosest to strictest. */
export const CONFINE_BY_STRICTNESS = ["off", "auto", "required"] as const;
export type Confine = (typeof CONFINE_BY_STRICTNESS)[number];
export const confine: Kind<Confine> = oneOf(CONFINE_BY_STRICTNESS);
