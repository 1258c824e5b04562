import { asWritten, KEY_ALIASES } from "./aliases.ts";
import { isRecord } from "./fields.ts";
import type { LayerName, LayerReading } from "./layer.ts";
import { type ConfigProblem, problemOf, twoValues, unknownKey, wrongValue } from "./problem.ts";
import type { Setting } from "./setting.ts";
import { ROWS, SETTING_HOSTS } from "./settings.ts";

/** Who reads them has enough to do; a hostile file must not make us look for the nearest name of thousands. */
const MOST_PROBLEMS = 20;

/** Reads what a file said: every mistake in it, or a layer. */
export function readTree(
  tree: unknown,
  { layer, source }: { readonly layer: LayerName; readonly source: string },
): LayerReading {
  const entries = new Map<string, unknown>();
  const spelled = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  if (tree === null || tree === undefined) return { layer: { name: layer, source, entries }, problems };
  if (isRecord(tree)) walk(tree, []);
  else problems.push(wrongValue(source, "", "an object of settings", tree));
  return { layer: { name: layer, source, entries }, problems };

  function walk(node: Readonly<Record<string, unknown>>, above: readonly string[]): void {
    for (const [word, value] of Object.entries(node)) {
      if (problems.length >= MOST_PROBLEMS) return;
      const path = [...above, word];
      const alias = above.length > 0 && isScope(above) ? KEY_ALIASES.get(word) : undefined;
      if (alias) take([...above, alias.key], path, asWritten(value, alias));
      else if (word === "$schema" && above.length === 0) continue;
      else if (word.includes(".") && above[0] !== "agents") problems.push(unknownKey(source, path.join("."), []));
      else if (isSection(path)) enter(path, value);
      else take(path, path, value);
    }
  }

  function enter(path: readonly string[], value: unknown): void {
    if (isRecord(value)) walk(value, path);
    else if (value !== null) problems.push(wrongValue(source, path.join("."), "an object of settings", value));
  }

  function take(path: readonly string[], written: readonly string[], value: unknown): void {
    const at = placeOf(path);
    const said = written.join(".");
    const row = rowOf(path);
    if (row === undefined) return void problems.push(unknownKey(source, said, namesBeside(written)));
    const reading = row.kind.read(value);
    if (!reading.ok) {
      problems.push(...reading.mistakes.map((mistake) => problemOf(source, `${said}${mistake.path}`, mistake)));
      return;
    }
    if (entries.has(at) && JSON.stringify(entries.get(at)) !== JSON.stringify(reading.value))
      problems.push(twoValues(source, said, spelled.get(at)!));
    entries.set(at, reading.value);
    spelled.set(at, said);
  }
}

/** Names of agents are one whatever their case: hosts show "Plan" and mean plan. */
const placeOf = ([section, name, ...rest]: readonly string[]): string =>
  [section, section === "agents" ? name?.toLowerCase() : name, ...rest].filter((word) => word !== undefined).join(".");

/** The row a path of a file stands for: its own, or that of the continuation when a host or an agent has its own. */
export function rowOf(path: readonly string[]): Setting<unknown> | undefined {
  const exact = ROWS.get(path.join("."));
  if (exact) return exact;
  const [section, name, leaf] = path;
  if (path.length !== 3 || !isScope([section!, name!])) return undefined;
  const scoped = ROWS.get(`continuation.${leaf}`);
  return ROWS.get(`${section}.*.${leaf}`) ?? (scoped?.scoped ? scoped : undefined);
}

function isSection(path: readonly string[]): boolean {
  const [first, second] = path;
  if (first === "hosts" || first === "agents")
    return path.length === 1 || (path.length === 2 && isName(first, second!));
  return [...ROWS.keys()].some((key) => key.startsWith(`${path.join(".")}.`));
}

/** Where continuation settings may stand. */
const isScope = (above: readonly string[]): boolean =>
  above[0] === "continuation" ? above.length === 1 : above.length === 2 && isName(above[0]!, above[1]!);

function isName(section: string, name: string): boolean {
  if (section === "hosts") return SETTING_HOSTS.includes(name);
  return section === "agents" && (name === "*" || /^[A-Za-z][\w .-]{0,63}$/.test(name));
}

/** The names that may stand where this one stood. */
function namesBeside(path: readonly string[]): string[] {
  const above = path.slice(0, -1);
  const keys = [...ROWS.keys()].map((key) => key.split("."));
  if (above.length === 1 && above[0] === "hosts") return [...SETTING_HOSTS];
  if (above.length === 2 && isScope(above)) {
    const own = keys.filter(([section, star]) => section === above[0] && star === "*").map((key) => key[2]!);
    const shared = [...ROWS].filter(([, row]) => row.scoped).map(([key]) => key.split(".")[1]!);
    return [...own, ...shared, ...KEY_ALIASES.keys()];
  }
  const begins = (key: readonly string[]) => above.every((word, index) => key[index] === word);
  return [...new Set(keys.filter((key) => key.length > above.length && begins(key)).map((key) => key[above.length]!))];
}
