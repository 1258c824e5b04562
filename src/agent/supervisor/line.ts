import type { Line } from "../../hosts/index.ts";

/** Undefined: hosts print other things too. */
export function lineOf(text: string): Line | undefined {
  try {
    const value: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
