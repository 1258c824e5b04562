import type { Node } from "yaml";
import type { ConfigFile } from "./config-file.ts";
import type { ConfigProblem } from "./problem.ts";

/** The same problems with the lines they stand in. JSON is YAML too: one parser finds both. */
export async function located(problems: readonly ConfigProblem[], file: ConfigFile): Promise<ConfigProblem[]> {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  let contents: unknown;
  try {
    contents = parseDocument(file.content.toString("utf8"), { lineCounter: lines, logLevel: "silent" }).contents;
  } catch (error) {
    if (error instanceof RangeError) return [...problems]; // JSON may nest deeper than this parser goes
    throw error;
  }
  return problems.map((problem) => {
    const at = problem.source === file.path && problem.path !== "" ? offsetOf(contents, problem.path) : undefined;
    return at === undefined ? problem : { ...problem, line: lines.linePos(at).line };
  });

  /** Names may hold dots themselves: the longest one that fits is meant. What is missing stands where its parent stands. */
  function offsetOf(node: unknown, path: string, above?: number): number | undefined {
    const item = /^\.?\[?(\d+)\]?/.exec(path);
    if (isSeq(node) && item) {
      const found = node.items[Number(item[1])];
      return offsetOf(found, path.slice(item[0].length), (found as Node | undefined)?.range?.[0] ?? above);
    }
    if (!isMap(node)) return above;
    const rest = path.replace(/^\./, "");
    const [best] = node.items
      .flatMap(({ key, value }) => (isScalar(key) ? [{ key, value, name: String(key.value) }] : []))
      .filter(({ name }) => rest === name || (rest.startsWith(name) && /^[.[]/.test(rest.slice(name.length))))
      .sort((a, b) => b.name.length - a.name.length);
    return best ? offsetOf(best.value, rest.slice(best.name.length), best.key.range?.[0] ?? above) : above;
  }
}
