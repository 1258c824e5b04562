import type { Node } from "jsonc-parser";
import { insertInto, nodeAt, type Path, readJson, remove, replace, type Spot } from "./edit-json.ts";

/** What an installation remembers of a file, so that exactly what it put in can be taken out again. */
export interface FileMemory {
  /** There was no file (null), or one with nothing in it. */
  readonly root?: string | null;
  /** By path: what we put in, and the white space that came with it. */
  readonly spots: Readonly<Record<string, Spot>>;
}

export type Edited =
  | { readonly ok: true; readonly text: string | undefined; readonly memory: FileMemory }
  | { readonly ok: false; readonly problem: string };

/** One file while it is edited. `undefined` as memory: it is no longer known what we put in. */
export interface JsonEditor {
  at(path: Path): Node | undefined;
  /** Sets a property, in containers that are made where they are missing. */
  put(path: Path, value: unknown): void;
  /** Adds an element to a list, which is made where it is missing. */
  append(path: Path, value: unknown): void;
  replace(node: Node, value: unknown): void;
  /** An element of the list at this path, or the property there; containers of ours that become empty go with it. */
  remove(path: Path, node: Node): void;
  /** Whether we put the property there; assumed so where that is unknown. */
  wasPut(path: Path): boolean;
  /** Whether we put an element into this list; assumed so where that is unknown. */
  appendedTo(path: Path): boolean;
}

/** Thrown by `put` and `append`: something else stands there, and it was written on purpose. */
export class Misfit extends Error {}

export function editJsonFile(
  before: string | undefined,
  memory: FileMemory | undefined,
  edit: (editor: JsonEditor) => void,
): Edited {
  const isBlank = before === undefined || before.trim() === "";
  let text = isBlank ? "{}\n" : before;
  const first = readJson(text);
  if (!first.ok) return first;
  let root = first.root;
  const spots: Record<string, Spot> = { ...memory?.spots };
  const become = (next: string): void => {
    const read = readJson(next);
    if (!read.ok) throw new Error(`an edit of ours broke the file: ${read.problem}`);
    [text, root] = [next, read.root];
  };
  const add = (container: Node, value: unknown, name: string, key?: string): void => {
    const inserted = insertInto(text, container, value, key);
    become(inserted.text);
    spots[name] = inserted.spot;
  };
  const made = (path: Path, type: "object" | "array"): Node => {
    const found = nodeAt(root, path);
    if (found?.type === type) return found;
    if (found)
      throw new Misfit(`its "${path.join(".")}" is not ${type === "array" ? "a list" : "an object"}; fix that first`);
    const parent = made(path.slice(0, -1), "object");
    add(parent, type === "array" ? [] : {}, nameOf(path), path.at(-1)!);
    return nodeAt(root, path)!;
  };
  const prune = (path: Path): void => {
    const container = nodeAt(root, path);
    if (!container || path.length === 0 || (memory && !memory.spots[nameOf(path)])) return;
    if (text.slice(container.offset + 1, container.offset + container.length - 1).trim() !== "") return;
    become(remove(text, container, memory?.spots[nameOf(path)]));
    prune(path.slice(0, -1));
  };

  try {
    edit({
      at: (path) => nodeAt(root, path),
      put: (path, value) => {
        const node = nodeAt(root, path);
        if (node) become(replace(text, node, value));
        else add(made(path.slice(0, -1), "object"), value, nameOf(path), path.at(-1)!);
      },
      append: (path, value) => add(made(path, "array"), value, elementOf(path)),
      replace: (node, value) => become(replace(text, node, value)),
      remove: (path, node) => {
        const isElement = node.parent?.type === "array";
        become(remove(text, node, memory?.spots[isElement ? elementOf(path) : nameOf(path)]));
        prune(isElement ? path : path.slice(0, -1));
      },
      wasPut: (path) => memory === undefined || memory.spots[nameOf(path)] !== undefined,
      appendedTo: (path) => memory === undefined || memory.spots[elementOf(path)] !== undefined,
    });
  } catch (error) {
    if (error instanceof Misfit) return { ok: false, problem: error.message };
    throw error;
  }
  const isEmpty = text.trim() === "{}" && memory?.root !== undefined;
  const after = isEmpty ? (memory.root ?? undefined) : isBlank && text === "{}\n" ? before : text;
  const kept = isBlank ? (before ?? null) : memory?.root;
  return { ok: true, text: after, memory: { ...(kept !== undefined && { root: kept }), spots } };
}

const nameOf = (path: Path): string => path.join("/");
const elementOf = (path: Path): string => `${path.join("/")}/+`;
