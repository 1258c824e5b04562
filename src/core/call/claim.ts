/** A path that a call reads or writes, with everything below it. Absolute, or relative to the run's directory. */
export interface Claim {
  readonly path: string;
  readonly access: "read" | "write";
}

/** Two claims conflict when one path contains the other and at least one of them writes. */
export function conflict(a: Claim, b: Claim): boolean {
  if (a.access === "read" && b.access === "read") return false;
  const [p, q] = [normalPath(a.path), normalPath(b.path)];
  return contains(p, q) || contains(q, p);
}

/** `a` contains `b` when it is the same path or one of its folders; both in normal form. */
function contains(a: string, b: string): boolean {
  if (a === "") return !b.startsWith("/");
  return a === b || b.startsWith(a === "/" ? a : `${a}/`);
}

/**
 * One spelling per path: no `.`, no empty steps, no `..` that can be resolved, forward slashes, no slash at the
 * end. The run's directory itself is "". Links are the tool's business: two names of one file are two paths here.
 * A backslash divides only where the path has a drive: elsewhere it is a letter of a name, and `x\\..` no way back.
 */
export function normalPath(path: string): string {
  const slashed = DRIVE.test(path) ? path.replaceAll("\\", "/") : path;
  const absolute = slashed.startsWith("/");
  const steps: string[] = [];
  for (const step of slashed.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else if (!absolute) steps.push(step);
  }
  return absolute ? `/${steps.join("/")}` : steps.join("/");
}

/** The path without regard to where we stand: a relative one begins at `root`. */
export function absolutePath(root: string, path: string): string {
  return normalPath(isAbsolute(path) ? path : `${root}/${path}`);
}

const DRIVE = /^([A-Za-z]:[/\\]|\\\\)/;
const isAbsolute = (path: string) => path.startsWith("/") || DRIVE.test(path);

/** The path as seen from `root`: relative when it lies inside, absolute otherwise. */
export function pathWithin(root: string, path: string): string {
  const [from, to] = [normalPath(root), absolutePath(root, path)];
  if (to === from) return "";
  const folder = from === "/" ? "/" : `${from}/`;
  return to.startsWith(folder) ? to.slice(folder.length) : to;
}

/** Every folder above a normal path, outermost first, without the path itself. Relative paths start at "". */
export function foldersAbove(path: string): string[] {
  if (path === "") return [];
  const folders = [path.startsWith("/") ? "/" : ""];
  for (let at = path.indexOf("/", 1); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return path === "/" ? [] : folders;
}
