/** One JSON object that a host printed or wrote. */
export type Line = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Line => (typeof value === "object" && value !== null ? (value as Line) : {});

/** Undefined: hosts print other things too. */
export function lineOf(text: string): Line | undefined {
  try {
    const value: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
