export type Matches = (path: string) => boolean;

/**
 * `*` and `?` stay within one step of the path, `**` crosses them. A pattern that does not begin with `/` speaks
 * of paths inside the run's directory only.
 */
export function glob(pattern: string): Matches {
  const compiled = compile(pattern, "");
  const inside = !pattern.startsWith("/");
  return (path) => !(inside && (path.startsWith("/") || path.startsWith("../"))) && compiled.test(path);
}

/** The same for patterns that mean a file wherever it lies, and however its name is written. */
export function globAnywhere(pattern: string): Matches {
  const compiled = compile(pattern, "i");
  return (path) => compiled.test(path.replace(/^\/+/, ""));
}

function compile(pattern: string, flags: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (found) => {
    if (found === "**/") return "(?:.*/)?";
    if (found === "**") return ".*";
    if (found === "*") return "[^/]*";
    return found === "?" ? "[^/]" : `\\${found}`;
  });
  return new RegExp(`^${source}$`, flags);
}
