import { eolOf, whiteEnd } from "./edit-json.ts";
import { readToml, type Statement, startsWith } from "./toml-statements.ts";

type Key = readonly string[];

/** A TOML file that is not ours, with one table of ours in it. Everything else keeps its bytes. */
export type TomlEdit =
  | { readonly ok: true; readonly text: string; readonly lead?: string }
  | { readonly ok: false; readonly problem: string };

export interface OurTable {
  readonly key: Key;
  /** Values as they are written. */
  readonly pairs: Readonly<Record<string, string>>;
  /** Whether a table without our comment above it is ours all the same: people take comments out. */
  readonly isOurs: (table: string) => boolean;
}

/** Puts the table at the end, or brings the one that is there up to date where it stands. */
export function withTable(text: string, table: OurTable): TomlEdit {
  const read = readToml(text);
  if (!read.ok) return invalid(read.line);
  const found = ownTables(text, read.statements, table);
  const named = read.statements.find(
    ({ type, key }) =>
      (startsWith(key, table.key) && (found.length === 0 || type === "tables")) ||
      (type !== "table" && key.length < table.key.length && startsWith(table.key, key)),
  );
  if (named) return { ok: false, problem: NOT_OURS };
  const own = found.find(({ key }) => key.length === table.key.length);
  if (own) return { ok: true, text: updated(text, read.statements, own, table) };
  const eol = eolOf(text);
  const lead = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  const lines = [
    MARK,
    `[${table.key.join(".")}]`,
    ...Object.entries(table.pairs).map(([key, value]) => `${key} = ${value}`),
  ];
  return { ok: true, text: text + lead + lines.map((line) => line + eol).join(""), lead };
}

/** Takes the table out again with what was put before it, and what the host wrote below its name: half a server would stop the host. */
export function withoutTable(text: string, table: OurTable, lead: string | undefined): TomlEdit {
  const read = readToml(text);
  if (!read.ok) return invalid(read.line);
  const cuts = ownTables(text, read.statements, table);
  return { ok: true, text: cuts.reduceRight((rest, cut) => without(rest, cut, lead), text) };
}

/**
 * Entries of a table that is a map, by key: `undefined` takes one out, a text gives it another key. The map's own header goes with
 * its last entry.
 */
export function withEntries(text: string, map: Key, entries: ReadonlyMap<string, string | undefined>): string {
  const read = readToml(text);
  if (!read.ok) return text;
  const { statements } = read;
  const depth = map.length;
  const isEntry = ({ key }: Statement): boolean => key.length > depth && startsWith(key, map);
  const touched = statements.filter((one) => isEntry(one) && entries.has(one.key[depth]!));
  const isGone = (one: Statement): boolean => touched.includes(one) && entries.get(one.key[depth]!) === undefined;
  const rest = statements.filter((one) => isEntry(one) && !isGone(one));
  const isLast = rest.length === 0 && touched.length > 0;
  const bare = statements.filter(
    ({ type, key }) => isLast && type === "table" && key.length === depth && startsWith(key, map),
  );
  return [...new Set([...touched, ...bare])]
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, one) => {
      const next = bare.includes(one) ? undefined : entries.get(one.key[depth]!);
      if (next === undefined) return without(changed, one, undefined);
      const line = changed.slice(one.start, one.end).replace(one.key[depth]!, () => next);
      return changed.slice(0, one.start) + line + changed.slice(one.end);
    }, text);
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** Our table and those below it, each with its pairs. */
function ownTables(
  text: string,
  statements: readonly Statement[],
  { key, isOurs }: OurTable,
): readonly (Cut & { key: Key })[] {
  const tables = statements.flatMap((one, at) => {
    if (one.type !== "table" || !startsWith(one.key, key)) return [];
    const next = statements.findIndex(({ type }, later) => later > at && type !== "pair");
    const end = statements[(next < 0 ? statements.length : next) - 1]!.end;
    const mark = markBefore(text, one.start);
    return [{ key: one.key, start: mark ?? one.start, end, isMarked: mark !== undefined }];
  });
  const own = tables.find((table) => table.key.length === key.length);
  return own && (own.isMarked || isOurs(text.slice(own.start, own.end))) ? tables : [];
}

function markBefore(text: string, at: number): number | undefined {
  const start = text.lastIndexOf("\n", at - 2) + 1;
  return text.slice(start, at).trim() === MARK ? start : undefined;
}

function updated(text: string, statements: readonly Statement[], own: Cut, { pairs }: OurTable): string {
  const inside = statements.filter(({ type, start }) => type === "pair" && start >= own.start && start < own.end);
  const nameOf = ({ key }: Statement): string => key.at(-1)!;
  const eol = eolOf(text);
  const added = Object.entries(pairs)
    .filter(([key]) => !inside.some((one) => nameOf(one) === key))
    .map(([key, value]) => `${key} = ${value}${eol}`)
    .join("");
  const joined = added === "" || text[own.end - 1] === "\n" ? added : eol + added;
  const changed = text.slice(0, own.end) + joined + text.slice(own.end);
  return inside.reduceRight((rest, one) => {
    const line = rest.slice(one.start, one.end);
    const wanted = pairs[nameOf(one)];
    if (wanted === undefined || wanted === one.value) return rest;
    const from = line.indexOf(one.value!, line.indexOf("="));
    return rest.slice(0, one.start + from) + wanted + rest.slice(one.start + from + one.value!.length);
  }, changed);
}

/** `lead`: what we put before it. Where that is not known, or no longer there, one empty line goes. */
function without(text: string, { start, end }: Cut, lead: string | undefined): string {
  const head = text.slice(0, start);
  const tail = text.slice(end);
  const known = (lead === undefined ? undefined : whiteEnd(head, lead)) ?? /(?<=\n)\r?\n$/.exec(head)?.[0] ?? "";
  const before = head.slice(0, head.length - known.length);
  const isGlued = before !== "" && tail !== "" && !before.endsWith("\n") && !/^\r?\n/.test(tail);
  return before + (isGlued ? eolOf(text) : "") + tail;
}

const invalid = (line: number): TomlEdit => ({ ok: false, problem: `it is not valid TOML at line ${line}` });
const NOT_OURS =
  'it names a server "tildone" that tildone did not write, or lists its servers in one line; remove that first';
const MARK = "# Written by `tildone install`; `tildone uninstall` takes it out again.";
