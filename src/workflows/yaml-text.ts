import type { Node } from "yaml";
import type { Place } from "./problem.ts";

/** YAML as a value, together with the lines its parts stand on. */
export interface YamlText {
  readonly value: unknown;
  readonly mistakes: readonly { readonly message: string; readonly line: number }[];
  /** The line of the deepest part of the place that is there. */
  lineOf(place: Place): number;
}

export type ParseYaml = (text: string, firstLine?: number) => YamlText;

/** The parser is loaded when the first file is read: a process without workflows does not pay for it. */
export async function loadYamlParser(): Promise<ParseYaml> {
  const { parseDocument, isNode } = await import("yaml");

  return (text, firstLine = 1) => {
    const lineAt = (offset: number): number => {
      let line = firstLine;
      for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
      return line;
    };
    try {
      const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
      const mistakes = document.errors.map((error) => ({ message: error.message, line: lineAt(error.pos[0]) }));
      return {
        value: mistakes.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 }),
        mistakes,
        lineOf: (place) => lineAt(startOf(document.contents, place)),
      };
    } catch (error) {
      // Too many aliases, or nesting deeper than the stack: the parser throws whatever the language throws.
      const message = error instanceof Error ? error.message : String(error);
      return { value: undefined, mistakes: [{ message, line: firstLine }], lineOf: () => firstLine };
    }
  };

  function startOf(root: Node | null, place: Place): number {
    let offset = root?.range?.[0] ?? 0;
    let node: unknown = root;
    for (const step of place) {
      const pair = pairOf(node, step);
      node = pair ? pair.value : itemOf(node, step);
      const start = pair?.key ?? node;
      if (!isNode(start)) return offset;
      offset = start.range?.[0] ?? offset;
    }
    return offset;
  }
}

/** A field stands where its name stands. */
function pairOf(node: unknown, step: string | number): { readonly key: unknown; readonly value: unknown } | undefined {
  return items(node).find(
    (item): item is { key: { value: unknown }; value: unknown } =>
      typeof item === "object" && item !== null && "key" in item && scalar(item.key) === step,
  );
}

const itemOf = (node: unknown, step: string | number): unknown =>
  typeof step === "number" ? items(node)[step] : undefined;

function items(node: unknown): readonly unknown[] {
  return typeof node === "object" && node !== null && "items" in node && Array.isArray(node.items) ? node.items : [];
}

const scalar = (node: unknown): unknown =>
  typeof node === "object" && node !== null && "value" in node ? node.value : undefined;
