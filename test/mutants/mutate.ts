import { parseSync } from "vite";

/** One small mistake that an author might make in this file. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** What stands on that line. */
  readonly on: string;
  readonly operator: Operator;
  readonly before: string;
  readonly after: string;
  /** Where it stands in the source, and what would stand there. */
  readonly change: { readonly start: number; readonly end: number; readonly text: string };
}

export type Operator =
  | "condition"
  | "comparison"
  | "logic"
  | "number"
  | "flag"
  | "arithmetic"
  | "call"
  | "part"
  | "statement";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * The source with every mistake in it, each behind a switch that `globalThis.isMutant(id)` turns on: one load of the
 * modules serves all of them.
 */
export function mutate(
  file: string,
  source: string,
  firstId: number,
): { readonly text: string; readonly mutants: readonly Mutant[] } {
  const mutants: Mutant[] = [];
  const { program } = parseSync(file, source);
  return { text: textOf(program as unknown as Node, []), mutants };

  /** The text of a node with the mistakes in its parts, and around it those that it may be itself. */
  function textOf(node: Node, above: readonly Node[]): string {
    const inner = withParts(node, above);
    const changes = isWrappable(node, above) ? changesOf(node, above, source) : [];
    const isStatement = node.type === "ExpressionStatement";
    let text = inner;
    for (const { operator, after } of changes.toReversed()) {
      const id = note(node, operator, after);
      text = isStatement ? `{ if (!isMutant(${id})) { ${text} } }` : `(isMutant(${id}) ? (${after}) : (${text}))`;
    }
    return text;
  }

  function withParts(node: Node, above: readonly Node[]): string {
    const parts = partsOf(node).toSorted((a, b) => a.start - b.start);
    let text = "";
    let at = node.start;
    for (const part of parts) {
      text += source.slice(at, part.start) + partText(part, node, above);
      at = part.end;
    }
    return text + source.slice(at, node.end);
  }

  /** A part of an object or a list may be left out; a key and its value go together. */
  function partText(part: Node, node: Node, above: readonly Node[]): string {
    const column = isTable(file) ? columnOf(part) : undefined;
    if (column === "declared") return source.slice(part.start, part.end);
    const text = textOf(part, [...above, node]);
    const isOfObject = node.type === "ObjectExpression";
    const isSpread = part.type === "SpreadElement";
    if ((!isOfObject && !(isSpread && node.type === "ArrayExpression")) || column === "needed") return text;
    const id = note(part, "part", "");
    const empty = isOfObject ? "{}" : "[]";
    const whole = isSpread ? text.slice("...".length) : `{ ${text} }`;
    return `...(isMutant(${id}) ? ${empty} : (${whole}))`;
  }

  function note(node: Node, operator: Operator, after: string): number {
    const id = firstId + mutants.length;
    const line = source.slice(0, node.start).split("\n").length;
    const on = source.split("\n")[line - 1]!.trim();
    const before = source.slice(node.start, node.end).replace(/\s+/g, " ");
    const change = { start: node.start, end: endOf(node, operator), text: changed(operator, after) };
    mutants.push({ id, file, line, on, operator, before, after: after.replace(/\s+/g, " "), change });
    return id;
  }

  /** With a part goes the comma behind it. */
  function endOf(node: Node, operator: Operator): number {
    if (operator !== "part") return node.end;
    const comma = /^\s*,/.exec(source.slice(node.end));
    return node.end + (comma?.[0].length ?? 0);
  }
}

/** Tables with a row for each event or trigger: no row and no column that each row has can be left out unseen. */
const isTable = (file: string): boolean => /core\/(run\/events\/|react\/trigger-table\.ts)/.test(file);

/** Versions, forms and sentences are data, as in other tables; a fold is code, and flags are. */
function columnOf({ type, key }: Node): "declared" | "needed" | undefined {
  const { name, value } = (key ?? {}) as { readonly name?: string; readonly value?: string };
  if (type !== "Property") return undefined;
  if (["v", "means", "line", "fields", "room"].includes(name ?? "")) return "declared";
  return name === "fold" || value?.includes(".") ? "needed" : undefined;
}

function changed(operator: Operator, after: string): string {
  if (operator === "part") return "";
  return operator === "statement" ? ";" : `(${after})`;
}

/** Types are no code, and names are not values. */
function partsOf(node: Node): readonly Node[] {
  const names = Object.keys(node).filter((name) => !SKIPPED.has(name) && !isName(node, name));
  return names.flatMap((name) => nodesIn(node[name])).filter(({ type }) => !type.startsWith("TS") || CASTS.has(type));
}

const SKIPPED: ReadonlySet<string> = new Set(["typeAnnotation", "typeParameters", "typeArguments", "returnType", "id"]);
const CASTS: ReadonlySet<string> = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function isName(node: Node, name: string): boolean {
  if (node.type === "Property" && name === "key") return node.computed !== true;
  if (node.type === "Property" && name === "value") return node.shorthand === true;
  if (node.type === "MemberExpression" && name === "property") return node.computed !== true;
  if (node.type === "PropertyDefinition" && name === "key") return true;
  return (
    ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"].includes(node.type) &&
    name !== "declaration"
  );
}

function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === "object" && value !== null && "type" in value && "start" in value ? [value as Node] : [];
}

/** Within an optional chain, in a pattern and on the left of an assignment nothing can be put around a node. */
function isWrappable(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (!parent || /Pattern$|^SwitchCase$/.test(parent.type)) return false;
  if (above.some(({ type }) => /Pattern$/.test(type))) return false;
  if (parent.type === "AssignmentExpression" && parent.left === node) return false;
  const isLink =
    (parent.type === "MemberExpression" && parent.object === node) ||
    (parent.type === "CallExpression" && parent.callee === node);
  return !isLink;
}

interface Change {
  readonly operator: Operator;
  readonly after: string;
}

function changesOf(node: Node, above: readonly Node[], source: string): readonly Change[] {
  const text = ({ start, end }: Node): string => source.slice(start, end);
  const change = (operator: Operator, after: string): Change => ({ operator, after });
  const parent = above.at(-1)!;
  const found: Change[] = [];
  const isTest = "test" in parent && parent.test === node;
  if (isTest) found.push(change("condition", `!(${text(node)})`));
  switch (node.type) {
    case "BinaryExpression": {
      const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
      const opposite = COMPARISONS[operator];
      // A condition is turned round as a whole already.
      if (opposite && !(isTest && opposite.endsWith("==")))
        found.push(change("comparison", `${text(left)} ${opposite} ${text(right)}`));
      const other = isText(left) || isText(right) ? undefined : ARITHMETIC[operator];
      if (other) found.push(change("arithmetic", `${text(left)} ${other} ${text(right)}`));
      break;
    }
    case "LogicalExpression": {
      const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
      const opposite = { "&&": "||", "||": "&&" }[operator];
      if (opposite) found.push(change("logic", `(${text(left)}) ${opposite} (${text(right)})`));
      else found.push(change("logic", text(left)), change("logic", text(right)));
      break;
    }
    case "UnaryExpression":
      if (node.operator === "!" && !isTest) found.push(change("condition", text(node.argument as Node)));
      break;
    case "Literal":
      if (typeof node.value === "number") found.push(change("number", String(node.value + 1)));
      if (typeof node.value === "boolean") found.push(change("flag", String(!node.value)));
      break;
    case "CallExpression":
      found.push(...callChanges(node, text));
      break;
    case "ExpressionStatement":
      if (!("directive" in node && node.directive)) found.push(change("statement", ""));
  }
  return found;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "**": "*" };

const isText = ({ type, value }: Node): boolean => type === "TemplateLiteral" || typeof value === "string";

/** `some` for `every`, `max` for `min`, and a `filter` that lets everything through. */
function callChanges(node: Node, text: (node: Node) => string): readonly Change[] {
  const { callee, arguments: given } = node as unknown as { callee: Node; arguments: readonly Node[] };
  if (callee.type !== "MemberExpression" || callee.computed === true || callee.optional === true) return [];
  const { object, property } = callee as unknown as { object: Node; property: Node & { name: string } };
  const other = CALLS[property.name];
  if (other === "") return [{ operator: "call", after: text(object) }];
  if (other === undefined) return [];
  return [{ operator: "call", after: `${text(object)}.${other}(${given.map(text).join(", ")})` }];
}

const CALLS: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  max: "min",
  min: "max",
  filter: "",
  toReversed: "",
  trim: "",
};
