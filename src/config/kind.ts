/**
 * What a setting may be: how it is read from a file, from the text of a variable or a flag, and how it is said.
 * Hand-made on purpose: a hook process reads its config at every event and has no time to load a schema library.
 */
export interface Kind<T> {
  /** Completes "must be ...". */
  readonly expected: string;
  readonly read: (value: unknown) => Reading<T>;
  /** What the text of a variable or a flag would be in a file. */
  readonly fromText: (text: string) => unknown;
  /** The value as it would be written in a file. */
  show(value: T): string;
  readonly schema: JsonSchema;
  /** Entries of a list add up over the layers; everything else is replaced. */
  readonly isList?: true;
}

export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly mistakes: Mistakes };
export type Mistakes = readonly Mistake[];

/** `path` is relative to the setting: "" for the setting itself, `[0].timeout` below it. */
export interface Mistake {
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
  /** Nothing may stand at this path at all; these names may stand beside it. */
  readonly names?: readonly string[];
}

export type JsonSchema = { readonly [keyword: string]: unknown };

export const accept = <T>(value: T): Reading<T> => ({ ok: true, value });
export const refuse = (expected: string, value: unknown, path = ""): Reading<never> => ({
  ok: false,
  mistakes: [{ path, expected, value }],
});

export const boolean: Kind<boolean> = kindOf<boolean>({
  expected: "true or false",
  accepts: (value) => typeof value === "boolean",
  fromText: (text) => SWITCH.get(text.toLowerCase()) ?? text,
  schema: { type: "boolean" },
});

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "0", "no", "off"].map((word) => [word, false] as const),
]);

export const integer = (least: number, most: number): Kind<number> =>
  kindOf<number>({
    expected: `a whole number from ${least} to ${most}`,
    accepts: (value) => Number.isInteger(value) && isWithin(value as number, least, most),
    fromText: numberFromText,
    schema: { type: "integer", minimum: least, maximum: most },
  });

export const amount = (most: number): Kind<number> =>
  kindOf<number>({
    expected: `a number above 0, at most ${most}`,
    accepts: (value) => typeof value === "number" && value > 0 && value <= most,
    fromText: numberFromText,
    schema: { type: "number", exclusiveMinimum: 0, maximum: most },
  });

export const oneOf = <const T extends string>(words: readonly T[]): Kind<T> =>
  kindOf<T>({
    expected: words.length === 1 ? `${words[0]}` : `one of ${words.join(", ")}`,
    accepts: (value) => words.includes(value as T),
    schema: { enum: words },
  });

export const text = (expected: string, pattern: RegExp): Kind<string> =>
  kindOf<string>({
    expected,
    accepts: (value) => typeof value === "string" && value.length <= LONGEST_TEXT && pattern.test(value),
    schema: { type: "string", pattern: pattern.source, maxLength: LONGEST_TEXT },
  });

const LONGEST_TEXT = 4096;
const MOST_ENTRIES = 100;

export function list<T>(entry: Kind<T>): Kind<readonly T[]> {
  const expected = `a list of at most ${MOST_ENTRIES}, each ${entry.expected}`;
  return {
    expected,
    read: (value) => {
      if (!Array.isArray(value) || value.length > MOST_ENTRIES) return refuse(expected, value);
      const readings = value.map((item) => entry.read(item));
      const mistakes = readings.flatMap((reading, index) =>
        reading.ok ? [] : reading.mistakes.map((mistake) => ({ ...mistake, path: `[${index}]${mistake.path}` })),
      );
      if (mistakes.length > 0) return { ok: false, mistakes };
      return accept(readings.flatMap((reading) => (reading.ok ? [reading.value] : [])));
    },
    fromText: (line) => [entry.fromText(line)],
    show: (entries) => `[${entries.map(entry.show).join(", ")}]`,
    schema: { type: "array", maxItems: MOST_ENTRIES, items: entry.schema },
    isList: true,
  };
}

/** Either kind; the first that accepts wins. */
export function either<A, B>(first: Kind<A>, second: Kind<B>): Kind<A | B> {
  const expected = `${first.expected}, or ${second.expected}`;
  return {
    expected,
    read: (value) => {
      const reading = first.read(value);
      if (reading.ok) return reading;
      const other = second.read(value);
      return other.ok ? other : refuse(expected, value);
    },
    fromText: (line) => (first.read(first.fromText(line)).ok ? first.fromText(line) : second.fromText(line)),
    show: (value) => JSON.stringify(value),
    schema: { anyOf: [first.schema, second.schema] },
  };
}

const UNLIMITED = "unlimited";

/** A number, or the word that switches the limit off: it reads as more than any number, so that nothing can be looser. */
export const orUnlimited = (number: Kind<number>): Kind<number> => ({
  expected: `${number.expected}, or ${UNLIMITED}`,
  read: (value) => {
    if (value === UNLIMITED) return accept(Number.POSITIVE_INFINITY);
    return number.read(value).ok ? number.read(value) : refuse(`${number.expected}, or ${UNLIMITED}`, value);
  },
  fromText: (line) => (line.trim().toLowerCase() === UNLIMITED ? UNLIMITED : number.fromText(line)),
  show: (value) => (value === Number.POSITIVE_INFINITY ? UNLIMITED : number.show(value)),
  schema: { anyOf: [number.schema, { const: UNLIMITED }] },
});

function kindOf<T>(of: {
  expected: string;
  accepts: (value: unknown) => boolean;
  schema: JsonSchema;
  fromText?: (text: string) => unknown;
}): Kind<T> {
  return {
    expected: of.expected,
    read: (value) => (of.accepts(value) ? accept(value as T) : refuse(of.expected, value)),
    fromText: of.fromText ?? ((line) => line),
    show: (value) => JSON.stringify(value),
    schema: of.schema,
  };
}

function numberFromText(line: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(line.trim()) ? Number(line) : line;
}

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;
