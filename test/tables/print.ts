import { createHash } from "node:crypto";

const LONGEST = 110;

/** `path: before -> after` for every value that differs, parts of objects one by one. */
export function changesBetween(before: unknown, after: unknown, path = ""): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesBetween(before[name], after[name], path === "" ? name : `${path}.${name}`));
  }
  const [was, is] = [printed(before), printed(after)];
  return was === is ? [] : [`${path}: ${clip(was)} -> ${clip(is)}`];
}

export const short = (value: unknown): string => clip(printed(value));

const printed = (value: unknown): string => (value === undefined ? "-" : JSON.stringify(value));

export const heading = (text: string): string => `\n${clip(text)}`;

/** What is short stands there; of what is long, a name that another value does not have. */
export function mark(value: unknown): string {
  const text = printed(value);
  return text.length > SHORT ? `#${nameOf(text)}` : text;
}

const SHORT = 50;

const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}… #${nameOf(text)}` : text);

const nameOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 6);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
