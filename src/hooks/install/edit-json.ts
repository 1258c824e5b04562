import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Payload } from "../payload.ts";

/**
 * Changes a JSON file that is not ours where it must change and nowhere else: comments, line ends, numbers and the order of keys
 * keep their bytes. Each function takes a text and gives the next.
 */
export type Path = readonly string[];

/** The white space that came with what we put in: it goes with it. */
export interface Spot {
  readonly lead: string;
  readonly trail: string;
}

export type ReadJson = { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly problem: string };

export function readJson(text: string): ReadJson {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !root) {
    const before = text.slice(0, error?.offset ?? 0).split("\n");
    const what = error ? printParseErrorCode(error.error) : "it is empty";
    return {
      ok: false,
      problem: `it is not valid JSON at line ${before.length}, column ${before.at(-1)!.length + 1} (${what})`,
    };
  }
  return root.type === "object" ? { ok: true, root } : { ok: false, problem: "it does not hold a JSON object" };
}

/** What it says; an empty object where that cannot be read. */
export function parseSettings(text: string): Payload {
  const read = readJson(text);
  return read.ok ? (getNodeValue(read.root) as Payload) : {};
}

/** JSON readers take the last of two equal keys. */
export function nodeAt(node: Node | undefined, [key, ...rest]: Path): Node | undefined {
  if (key === undefined || node === undefined) return node;
  if (node.type !== "object") return undefined;
  const property = node.children?.findLast(({ children }) => children?.[0]?.value === key);
  return nodeAt(property?.children?.[1], rest);
}

export interface Inserted {
  readonly text: string;
  readonly spot: Spot;
}

/** Adds a property (`key`) or an element as the last one, written the way its neighbours are. */
export function insertInto(text: string, container: Node, value: unknown, key?: string): Inserted {
  const last = container.children?.at(-1);
  const style = styleOf(text, container);
  const written = (indent: string): string =>
    (key === undefined ? "" : `${JSON.stringify(key)}:${style.isCompact ? "" : " "}`) +
    textOf(value, { ...style, indent });
  if (!last) {
    const at = container.offset + 1;
    const inside = text.slice(at, container.offset + container.length - 1);
    const lead = style.isCompact ? "" : style.eol + style.indent + style.unit;
    const trail = style.isCompact || inside.includes("\n") ? "" : style.eol + style.indent;
    const spot = { lead, trail };
    return { text: text.slice(0, at) + lead + written(style.indent + style.unit) + trail + text.slice(at), spot };
  }
  const end = last.offset + last.length;
  const indent = style.isCompact ? "" : indentAt(text, last.offset);
  const isInLine = !text.slice(container.offset, last.offset).includes("\n");
  const lead = style.isCompact ? "" : isInLine ? " " : style.eol + indent;
  const spot = { lead, trail: "" };
  const next = significantAfter(text, end);
  const hasComma = text[next] === ",";
  const from = hasComma ? next + 1 : end;
  // A comment behind the last one stays behind it.
  const [beside, lineComment] = matchAt(text, from, BESIDE);
  const at = lineComment !== undefined && isInLine ? from : from + beside!.trimEnd().length;
  const [between, added] = [text.slice(end, at), lead + written(indent) + (hasComma ? "," : "")];
  return { text: text.slice(0, end) + (hasComma ? "" : ",") + between + added + text.slice(at), spot };
}

/** Takes an element or a property out of its container, with its comma and the white space that came with it. */
export function remove(text: string, node: Node, spot: Spot | undefined): string {
  const element = node.parent?.type === "property" ? node.parent : node;
  const siblings = element.parent?.children ?? [];
  const end = element.offset + element.length;
  const blank = /\s*$/.exec(text.slice(0, element.offset))![0];
  const known = spot && whiteEnd(blank, spot.lead);
  const lead = known ?? blank;
  const next = significantAfter(text, end);
  if (text[next] === ",")
    return cut(text, { start: element.offset - lead.length, end }, { start: next, end: next + 1 });
  const at = siblings.indexOf(element);
  if (at > 0) {
    const before = siblings[at - 1]!;
    const comma = significantAfter(text, before.offset + before.length);
    return cut(text, { start: comma, end: comma + 1 }, { start: element.offset - lead.length, end });
  }
  const behind = /^\s*/.exec(text.slice(end))![0];
  const trail = (known !== undefined && whiteStart(behind, spot!.trail)) || (known === undefined ? behind : "");
  return cut(text, { start: element.offset - lead.length, end: end + trail.length });
}

export function replace(text: string, node: Node, value: unknown): string {
  const style = styleOf(text, node);
  return (
    text.slice(0, node.offset) +
    textOf(value, {
      ...style,
      isCompact: style.isCompact || !text.slice(node.offset, node.offset + node.length).includes("\n"),
    }) +
    text.slice(node.offset + node.length)
  );
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  /** Of the line on which the container begins. */
  readonly indent: string;
  /** All in one line. */
  readonly isCompact: boolean;
}

function styleOf(text: string, container: Node): Style {
  const inside = text.slice(container.offset, container.offset + container.length);
  const isFilled = (container.children?.length ?? 0) > 0;
  return {
    eol: eolOf(text),
    unit: /^[ \t]+(?=["/\]{}[])/m.exec(text)?.[0] ?? "  ",
    indent: indentAt(text, container.offset),
    isCompact: isFilled ? !/\n/.test(inside) && !/[,:{[] /.test(inside) : /^\uFEFF?\{.+\}$/.test(text.trim()),
  };
}

/** White space at the end or start of a text, whichever line ends the file has by now; undefined: it is not there. */
export const whiteEnd = (text: string, white: string): string | undefined =>
  new RegExp(`${anyLineEnd(white)}$`).exec(text)?.[0];
const whiteStart = (text: string, white: string): string | undefined =>
  new RegExp(`^${anyLineEnd(white)}`).exec(text)?.[0];
const anyLineEnd = (white: string): string => white.replaceAll(/\r?\n/g, "\\r?\\n");

export const eolOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? "\n";

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))![0];

const textOf = (value: unknown, { eol, unit, indent, isCompact }: Style): string =>
  isCompact ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);

/** White space and comments. */
const TRIVIA = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
/** Comments on the rest of a line; the one that ends with it in a group of its own. */
const BESIDE = /(?:[ \t]*\/\*[^\n]*?\*\/)*[ \t]*(\/\/[^\r\n]*)?/y;
const PIECES = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

function matchAt(text: string, at: number, pattern: RegExp): RegExpExecArray {
  pattern.lastIndex = at;
  return pattern.exec(text)!; // each of them matches nothing at all, too
}

const significantAfter = (text: string, at: number): number => at + matchAt(text, at, TRIVIA)[0].length;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Without these ranges; a line comment in front of one still ends with its line. */
function cut(text: string, ...ranges: readonly Range[]): string {
  return ranges.reduceRight((rest, { start, end }) => {
    const head = rest.slice(0, start);
    const tail = rest.slice(end);
    const isOpen = endsInLineComment(head) && !/^\r?\n/.test(tail);
    return head + (isOpen ? eolOf(text) : "") + tail;
  }, text);
}

const endsInLineComment = (head: string): boolean => head.match(PIECES)?.at(-1)?.startsWith("//") === true;
