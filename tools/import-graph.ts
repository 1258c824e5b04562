// What a source file imports, and which of them import each other in a circle.

export interface Import {
  readonly target: string;
  /** `type`: nothing is loaded. `later`: loaded when the line is reached, not with the file. */
  readonly kind: "value" | "type" | "later";
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{][^;"']*?\sfrom\s+)?["']([^"']+)["']/gm;
const CALL = /(typeof\s+)?\bimport\s*\(\s*["']([^"']+)["']/g;

/** Names that are types one by one (`import { type A }`) still load the file: only `import type` does not. */
export function importsOf(text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const stated = [...code.matchAll(STATEMENT)].map(
    ([, type, target]): Import => ({ target: target!, kind: type ? "type" : "value" }),
  );
  const called = [...code.matchAll(CALL)].map(
    ([, type, target]): Import => ({ target: target!, kind: type ? "type" : "later" }),
  );
  return [...stated, ...called];
}

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** One shortest circle for every knot of nodes that reach each other, from its first name by the alphabet. */
export function circlesIn(graph: Graph): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = [];
  const known = new Set<string>();
  for (const node of [...graph.keys()].toSorted()) {
    if (known.has(node)) continue;
    const circle = circleThrough(graph, node);
    if (circle === undefined) continue;
    circles.push(circle);
    for (const other of reachedFrom(graph, node)) if (reachedFrom(graph, other).has(node)) known.add(other);
  }
  return circles;
}

/** The shortest way from a node back to it. */
function circleThrough(graph: Graph, start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift())
    for (const next of graph.get(way.at(-1)!) ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return undefined;
}

function reachedFrom(graph: Graph, start: string): ReadonlySet<string> {
  const seen = new Set<string>([start]);
  for (const node of seen) for (const next of graph.get(node) ?? []) seen.add(next);
  return seen;
}
