import { glob, globsMeet, type Matches } from "../../glob/index.ts";
import type { Word } from "../../shell/index.ts";
import { absolutePath, pathWithin } from "../claim.ts";
import type { Fit } from "./fit.ts";

/** A path as rules see it. */
export interface NamedPath {
  /** Relative where it lies inside the run's directory, absolute otherwise. */
  readonly within: string;
  readonly absolute: string;
  /** The shell puts names of files in its place. */
  readonly pattern: boolean;
}

export interface PathRule {
  /** A strict rule also fits a folder all of which it speaks of: reading the folder is reading the files. */
  fits(path: NamedPath, isStrict: boolean): Fit;
}

/** A pattern that does not begin with `/` or `~/` speaks of paths inside the run's directory only. */
export function pathRule(given: string, home: string | undefined): PathRule {
  const pattern = home === undefined ? given : given.replace(/^~(?=\/)/, home);
  const isAbsolute = pattern.startsWith("/");
  const matches = glob(pattern);
  return {
    fits(path, isStrict) {
      const name = isAbsolute ? path.absolute : path.within;
      if (!isAbsolute && (name.startsWith("/") || name.startsWith("../"))) return "no";
      if (path.pattern && isStrict) return meets(pattern, name) ? "maybe" : "no";
      return matches(name) || (isStrict && matches(`${name}/${ANY}`)) ? "yes" : "no";
    },
  };
}

const meets = (pattern: string, name: string): boolean =>
  globsMeet(pattern, name) || globsMeet(pattern, `${name}/${ANY}`);

/** No file is called so: a pattern that fits it fits whatever is there. */
const ANY = "\0";

/** The same for patterns that mean a file wherever it lies, and however its name is written. */
export function globAnywhere(pattern: string): Matches {
  const fits = glob(pattern.toLowerCase());
  return (path) => fits(path.replace(/^\/+/, "").toLowerCase());
}

export interface Place {
  readonly root: string;
  readonly home: string | undefined;
}

export function namedPath({ root, home }: Place, path: string, pattern = false): NamedPath {
  const expanded = home === undefined ? path : path.replace(/^~(?=\/|$)/, home);
  return { within: pathWithin(root, expanded), absolute: absolutePath(root, expanded), pattern };
}

/** Whatever the words of a command could name: `of=x`, `--output=x`, `-ox`, `@x`, `HEAD:x` and `file://x` all name x. */
export function pathsInWords(place: Place, words: readonly Word[]): (NamedPath | undefined)[] {
  return words.slice(1).flatMap(({ text, literal, pattern }): (NamedPath | undefined)[] => {
    if (!literal) return [undefined];
    const globs = pattern && /[*?[]/.test(text);
    return namedIn(text).map((path) => namedPath(place, globs ? path.replace(/\[[^\]]*\]?/g, "?") : path, globs));
  });
}

function namedIn(text: string): readonly string[] {
  const after = [...text.matchAll(/[=:@,]/g)].slice(0, MOST_PLACES).map(({ index }) => text.slice(index + 1));
  const option = /^-[A-Za-z](?=.)/.test(text) ? [text.slice(2)] : [];
  const url = /^file:\/\/[^/]*/i.exec(text);
  return [text, ...after, ...option, ...(url ? [decoded(text.slice(url[0].length))] : [])];
}

const MOST_PLACES = 20;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path;
  }
}
