import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { KEY_ALIASES } from "./aliases.ts";
import { located } from "./line-of.ts";
import type { ConfigProblem } from "./problem.ts";
import { readTree, rowOf } from "./read-tree.ts";

export interface ConfigChange {
  /** `continuation.countdown`, `hosts.codex.enabled`. */
  readonly key: string;
  /** As typed; undefined: the key is removed. A list takes several. */
  readonly values?: readonly string[];
}

export type Changed =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly errors: readonly ConfigProblem[] };

/** The config file of a folder, or the one that would be made. */
export function configFileOf(folder: string): string {
  const names = ["config.yaml", "config.yml", "config.json"].map((name) => join(folder, name));
  return names.find((path) => existsSync(path)) ?? names[0]!;
}

/** Writes one setting, comments and all else as they were. A file that would be wrong afterwards is not written. */
export async function changeConfig(folder: string, { key, values }: ConfigChange): Promise<Changed> {
  const path = configFileOf(folder);
  const words = key.split(".");
  const row = rowOf(words) ?? aliasRow(words);
  if (row === undefined)
    return { ok: false, errors: readTree(nested(words, 0), { layer: "user", source: path }).problems };
  const value = values === undefined ? undefined : typedValue(row.kind, values);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const after = path.endsWith(".json") ? await inJson(before, words, value) : await inYaml(before, words, value);
  if (after === undefined) {
    const says = "cannot be parsed, so it was not changed. tildone config edit opens it.";
    return { ok: false, errors: [{ code: "unreadable", source: path, path: "", says }] };
  }
  const { parse } = await import("yaml");
  const tree: unknown = parse(after);
  const { problems } = readTree(tree, { layer: "user", source: path });
  if (problems.length > 0)
    return { ok: false, errors: await located(problems, { path, content: Buffer.from(after), tree }) };
  write(path, after);
  return { ok: true, path };
}

/** A file with nothing but the schema, for the one who opens it in an editor. */
export function newConfigFile(folder: string): string {
  const path = configFileOf(folder);
  if (!existsSync(path)) write(path, `${SCHEMA_LINE}\n# tildone config explain <setting> says what each one does.\n`);
  return path;
}

/** Found from any folder: the schema of the package that runs. */
const SCHEMA_LINE = `# yaml-language-server: $schema=${fileURLToPath(new URL("../../schema/config.json", import.meta.url))}`;

function typedValue(
  kind: { readonly isList?: true; readonly fromText: (text: string) => unknown },
  values: readonly string[],
) {
  return kind.isList ? values.flatMap((text) => kind.fromText(text)) : kind.fromText(values.join(" "));
}

async function inYaml(before: string, words: readonly string[], value: unknown): Promise<string | undefined> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(before === "" ? `${SCHEMA_LINE}\n` : before);
  if (document.errors.length > 0) return undefined;
  if (value === undefined) document.deleteIn(words);
  else document.setIn(words, value);
  const text = document.toString();
  return before === "" && !text.startsWith("#") ? `${SCHEMA_LINE}\n${text}` : text;
}

async function inJson(before: string, words: readonly string[], value: unknown): Promise<string | undefined> {
  const { applyEdits, modify, parse } = await import("jsonc-parser");
  const errors: never[] = [];
  parse(before, errors);
  if (errors.length > 0) return undefined;
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return applyEdits(before, modify(before, [...words], value, { formattingOptions }));
}

const aliasRow = (words: readonly string[]) => {
  const alias = KEY_ALIASES.get(words.at(-1)!);
  return alias?.unit === undefined && alias ? rowOf([...words.slice(0, -1), alias.key]) : undefined;
};

const nested = (words: readonly string[], value: unknown): unknown =>
  words.toReversed().reduce<unknown>((inner, word) => ({ [word]: inner }), value);

/** All of it or nothing: a crash leaves the old file. A link stays a link. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const target = existsSync(path) ? realpathSync(path) : path;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600;
  const beside = `${target}.${process.pid}.new`;
  writeFileSync(beside, text, { mode });
  renameSync(beside, target);
}
