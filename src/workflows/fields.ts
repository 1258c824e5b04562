import { described, fieldName, type Mistake, type Place } from "./problem.ts";

export type Note = (severity: Mistake["severity"], place: Place, message: string) => void;

/** Collects mistakes with the names and lines of the places they stand at. */
export function noteInto(mistakes: Mistake[], lineOf: (place: Place) => number): Note {
  return (severity, place, message) =>
    mistakes.push({ severity, line: lineOf(place), field: fieldName(place), message });
}

/**
 * The fields of one mapping. Every mistake is noted with its place and reading continues, so that an author sees all of
 * them at once. Empty optional fields are as good as absent ones.
 */
export class Fields {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #place: Place;
  readonly #note: Note;
  readonly #known = new Set<string>();

  constructor(given: object, place: Place, note: Note) {
    this.#given = given as Record<string, unknown>;
    this.#place = place;
    this.#note = note;
  }

  has(name: string): boolean {
    return this.#raw(name) !== undefined;
  }

  raw(name: string): unknown {
    return this.#raw(name);
  }

  text(name: string, most: number): string | undefined {
    const value = this.#raw(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.wrong(name, `expected text, got ${described(value)}`);
    if (value.length > most)
      return this.wrong(name, `expected at most ${most} characters, got ${value.length.toLocaleString("en")}`);
    return value;
  }

  /** Empty when it is missing; that is noted. */
  neededText(name: string, most: number): string {
    const value = this.#raw(name);
    if (value === undefined || value === null || (typeof value === "string" && value.trim() === ""))
      this.wrong(name, `expected text, got ${value === "" ? "empty text" : described(value)}`);
    else return this.text(name, most) ?? "";
    return "";
  }

  flag(name: string): boolean | undefined {
    const value = this.#raw(name) ?? undefined;
    if (value === undefined || typeof value === "boolean") return value;
    return this.wrong(name, `expected true or false, got ${described(value)}`);
  }

  count(name: string, least: number, most: number): number | undefined {
    const value = this.#raw(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.wrong(name, `expected a whole number from ${least} to ${most}, got ${described(value)}`);
  }

  choice<T extends string>(name: string, options: readonly T[]): T | undefined {
    const value = this.#raw(name) ?? undefined;
    if (value === undefined) return undefined;
    const option = options.find((known) => known === value);
    return option ?? this.wrong(name, `expected ${options.join(" or ")}, got ${described(value)}`);
  }

  list(name: string, most: number): readonly unknown[] | undefined {
    const value = this.#raw(name) ?? undefined;
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.wrong(name, `expected a list, got ${described(value)}`);
    if (value.length > most) return this.wrong(name, `expected at most ${most} entries, got ${value.length}`);
    return value;
  }

  /** Numbers and truth values are taken as the words they were written as. */
  words(name: string, most: number): readonly string[] | undefined {
    return this.list(name, most)?.flatMap((item, index) => {
      const word = typeof item === "number" || typeof item === "boolean" ? String(item) : item;
      if (typeof word === "string" && word.trim() !== "") return [word.trim()];
      this.#note("error", [...this.#place, name, index], `expected a name, got ${described(item)}`);
      return [];
    });
  }

  /** A misspelt field would otherwise be ignored in silence. */
  warnOfOthers(): void {
    for (const name of Object.keys(this.#given))
      if (!this.#known.has(name))
        this.#note("warning", [...this.#place, name], `unknown field; expected ${[...this.#known].join(", ")}`);
  }

  wrong(name: string, message: string): undefined {
    this.#note("error", [...this.#place, name], message);
  }

  #raw(name: string): unknown {
    this.#known.add(name);
    return Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
  }
}

export const isMapping = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
