export { type Matches, matchesAny } from "./glob.ts";
