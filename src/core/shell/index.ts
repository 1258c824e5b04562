export type { Command, Item, Link, Redirects, Word } from "./command.ts";
export { fedTo } from "./fed.ts";
export { partsOf, type ShellPart } from "./parts.ts";
export { programsNeeded } from "./programs.ts";
export { readShell } from "./read-shell.ts";
