import { foldTable } from "./fold.ts";
import { reactionTable } from "./reactions.ts";

/** Each stands in a file of its name. */
export const TABLES: Readonly<Record<string, () => string>> = { fold: foldTable, reactions: reactionTable };
