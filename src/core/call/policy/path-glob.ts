import { glob, type Matches } from "../../glob/index.ts";

/** A pattern that does not begin with `/` speaks of paths inside the run's directory only. */
export function pathGlob(pattern: string): Matches {
  const fits = glob(pattern);
  const inside = !pattern.startsWith("/");
  return (path) => !(inside && (path.startsWith("/") || path.startsWith("../"))) && fits(path);
}

/** The same for patterns that mean a file wherever it lies, and however its name is written. */
export function globAnywhere(pattern: string): Matches {
  const fits = glob(pattern.toLowerCase());
  return (path) => fits(path.replace(/^\/+/, "").toLowerCase());
}
