import type { Io } from "./io.ts";

/**
 * A worker continues a run whose process died: `--resume` then says nothing in your name. What you said stands in the log already, and a
 * hold stays one.
 */
export const takesOver = ({ env }: Pick<Io, "env">): boolean => env.TILDONE_TAKEOVER === "1";
