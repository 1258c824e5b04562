export { glob, globsMeet, type Matches, matchesAny } from "./glob.ts";
