import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";

export type Inside =
  | { readonly status: "inside"; readonly path: string }
  | { readonly status: "missing" | "outside"; readonly problem: string };

/** The directory `inner` of `root`, if it is one and no link leads out of `root`. */
export function insideProject(root: string, inner = "."): Inside {
  if (isAbsolute(inner) || inner.split(/[\\/]/).includes(".."))
    return outside(`The directory "${inner}" must be relative to the project and must not contain "..".`);
  const home = real(root);
  if (home === undefined) return missing(`The project's directory "${root}" does not exist.`);
  const path = real(join(home, inner));
  if (path === undefined) return missing(`The directory "${inner}" does not exist in the project.`);
  if (path !== home && !path.startsWith(home.endsWith(sep) ? home : home + sep))
    return outside(`The directory "${inner}" leads out of the project through a link.`);
  if (!statSync(path).isDirectory()) return missing(`"${inner}" is not a directory.`);
  return { status: "inside", path };
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // missing, a loop of links or not ours to read: there is no such directory for us
  }
}

const missing = (problem: string): Inside => ({ status: "missing", problem });
const outside = (problem: string): Inside => ({ status: "outside", problem });
