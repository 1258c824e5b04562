import { isAbsolute, join, normalize, sep } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Belongs to the machine: only root writes there, and most of it changes by itself. */
const SYSTEM = /^\/(?:usr(?!\/local)|bin|sbin|lib\w*|dev|proc|sys|run|nix|gnu|snap)(?:\/|$)/;
/** A path as a script writes it: from the root, from home, from a variable, or from above the project on. */
const PATHS = /(?<![\w.~@}*?/-])(?:(?:~|\$\{\w+\}|\$\w+|\.\.)?\/[\w.@%+~/-]+|(?:\$\{\w+\}|\$\w+)\.[\w.-]+)/g;

/** Paths outside of the project that commands name, as they are on this machine. */
export function namedOutside(
  commands: readonly (readonly string[])[],
  env: Environment,
  root: string,
): readonly string[] {
  const words = commands.flat().flatMap((word) => word.match(PATHS) ?? []);
  const paths = words.flatMap((word) => {
    const path = word.startsWith("../") ? join(root, word) : expanded(word, env);
    return path !== undefined && isAbsolute(path) ? [normalize(path).replace(/(.)\/$/, "$1")] : [];
  });
  return [...new Set(paths)].filter((path) => path !== sep && !SYSTEM.test(path) && !isBelow(path, root));
}

/** Undefined: it begins with a variable that is not known. */
function expanded(word: string, env: Environment): string | undefined {
  const [start = ""] = /^(?:~|\$\{\w+\}|\$\w+)/.exec(word) ?? [];
  if (start === "") return word;
  const value = env[start === "~" ? "HOME" : start.replace(/[${}]/g, "")];
  return value === undefined ? undefined : value + word.slice(start.length);
}

export const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}${sep}`);
