import type { DescribedSetting, Explained } from "../config/index.ts";
import { exampleLines } from "./help.ts";
import type { Io } from "./io.ts";
import { styleOf } from "./style.ts";
import { clip, width, wrap } from "./wrap.ts";

const VALUE = 16;

/** Every setting by section: name, value with its unit, what it does; where it comes from if it is not the default. */
export function configLines(
  settings: readonly Explained[],
  described: readonly DescribedSetting[],
  io: Pick<Io, "columns" | "hasColour">,
): readonly string[] {
  const style = styleOf(io);
  const rows = [...Map.groupBy(settings, ({ key }) => sectionOf(key)).values()].flat();
  const name = Math.max(...rows.map(({ key }) => leafOf(key).length), 0);
  return rows.flatMap((row, at) => {
    const about = described.find(({ key }) => key === row.key);
    const isFirst = at === 0 || sectionOf(rows[at - 1]!.key) !== sectionOf(row.key);
    const value = valueText(row, about);
    const left = `  ${leafOf(row.key).padEnd(name)}  ${value}`;
    const column = name + VALUE + 4;
    const room = io.columns - column;
    const says = clip(about?.says ?? "", room);
    const isLong = width(left) > column - 2;
    return [
      ...(isFirst ? [...(at === 0 ? [] : [""]), style.strong(sectionOf(row.key))] : []),
      isLong ? clip(left, io.columns) : `${left.padEnd(column)}${style.role("dim", says)}`,
      ...(row.layer === "default" ? [] : [style.role("accent", clip(`    from ${row.source}`, io.columns))]),
    ];
  });
}

/** With its unit; what holds where nothing is set. */
export function valueText({ value }: Pick<Explained, "value">, about: DescribedSetting | undefined): string {
  if (value === "") return about?.absent ?? "not set";
  return about === undefined || about.unit === "" ? bare(value) : `${value} ${about.unit}`;
}

/** A text without its quotes. */
export const bare = (value: string): string => (/^"[^"\\]*"$/.test(value) ? value.slice(1, -1) : value);

/** All about one setting. */
export function explainLines(about: DescribedSetting, row: Explained, columns: number): readonly string[] {
  const facts: [string, string][] = [
    ["value", sourcedValue(row, about)],
    ["default", about.default === "" ? about.absent : `${about.default}${about.unit === "" ? "" : ` ${about.unit}`}`],
    ["must be", about.expected],
    ...(about.variables.length === 0 ? [] : [["variable", about.variables.join(", ")] as [string, string]]),
    ...(about.flags.length === 0 ? [] : [["flag", about.flags.join(", ")] as [string, string]]),
    ["a project", `may ${about.project} without your trust`],
    ...(about.scoped ? [["also under", "hosts.<host> and agents.<agent>"] as [string, string]] : []),
  ];
  return [wrap(about.says, columns), "", ...exampleLines(facts, columns)];
}

/** The settings of a section, each with what it does in full and where its value comes from. */
export function sectionLines(
  settings: readonly { readonly about: DescribedSetting; readonly row: Explained }[],
  io: Pick<Io, "columns" | "hasColour">,
): readonly string[] {
  const style = styleOf(io);
  return settings.flatMap(({ about, row }, at) => [
    ...(at === 0 ? [] : [""]),
    `${style.strong(about.key)}  ${clip(sourcedValue(row, about), io.columns - width(about.key) - 2)}`,
    ...wrap(about.says, io.columns - 2)
      .split("\n")
      .map((line) => `  ${line}`),
  ]);
}

const sourcedValue = (row: Explained, about: DescribedSetting): string =>
  `${valueText(row, about)}${row.layer === "default" ? " (the default)" : ` (from ${row.source})`}`;

const sectionOf = (key: string): string => (key.includes(".") ? key.slice(0, key.lastIndexOf(".")) : "general");
const leafOf = (key: string): string => key.slice(key.lastIndexOf(".") + 1);
