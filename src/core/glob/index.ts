export { glob, type Matches, matchesAny } from "./glob.ts";
