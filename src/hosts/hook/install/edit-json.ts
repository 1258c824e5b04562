import { isObject } from "../payload.ts";

/** A JSON file of somebody else, changed by a function of its content and written the way it was written. */
export type JsonEdit =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly problem: string };

type Tree = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** `text` undefined: there is no file. An answer without text: nothing is left, and the file was ours alone. */
export function editJson(text: string | undefined, edit: (tree: Tree) => Tree, lists: readonly Path[] = []): JsonEdit {
  let tree: unknown;
  try {
    tree = text === undefined || text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const why = (error as Error).message;
    return {
      ok: false,
      problem: `it is no plain JSON (${why}). Mend it, and take its comments out: tildone would lose them`,
    };
  }
  if (!isObject(tree)) return { ok: false, problem: "it holds no JSON object" };
  const misfit = lists.map((path) => misfitAt(tree as Tree, path)).find((problem) => problem !== undefined);
  if (misfit !== undefined) return { ok: false, problem: misfit };
  const after = edit(tree);
  if (JSON.stringify(after) === JSON.stringify(tree)) return { ok: true, text };
  if (Object.keys(after).length === 0) return { ok: true, text: undefined };
  const end = text === undefined || text.endsWith("\n") ? "\n" : "";
  return { ok: true, text: JSON.stringify(after, null, indentOf(text ?? "")) + end };
}

const indentOf = (text: string): string => /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";

/** What stands where a list should, or where an object should on the way to it: whoever wrote it meant something by it. */
function misfitAt(tree: Tree, path: Path): string | undefined {
  for (let length = 1; length <= path.length; length++) {
    const value = valueAt(tree, path.slice(0, length));
    if (value === undefined) return undefined;
    const isLast = length === path.length;
    if (isLast ? !Array.isArray(value) : !isObject(value))
      return `its "${path.slice(0, length).join(".")}" is no ${isLast ? "list" : "object"}; mend that first`;
  }
  return undefined;
}

/** The value at a path, and the tree with another value there; what becomes empty by it goes away. */
export const valueAt = (tree: Tree, [key, ...rest]: readonly string[]): unknown => {
  const value = tree[key!];
  return rest.length === 0 ? value : isObject(value) ? valueAt(value, rest) : undefined;
};

export function withValue(tree: Tree, [key, ...rest]: readonly string[], value: unknown): Tree {
  const below = tree[key!];
  const next = rest.length === 0 ? value : withValue(isObject(below) ? below : {}, rest, value);
  if (!isEmpty(next)) return { ...tree, [key!]: next };
  return Object.fromEntries(Object.entries(tree).filter(([name]) => name !== key));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
