import type { Surroundings } from "../room/surroundings.ts";
import { asText, type Snapshot } from "../snapshot/index.ts";

/**
 * A snapshot may come from another machine: its name vouches for its content, not for good intentions. Undefined: it
 * holds a path that leads out of the room, or no note of what surrounded the project.
 */
export function surroundingsOf({ note, large, empty }: Snapshot): Surroundings | undefined {
  const paths: unknown = [...(Array.isArray(large) ? large.map(({ path }) => path) : [undefined]), ...listOf(empty)];
  if (!(paths as unknown[]).every((path) => typeof path === "string" && isInside(asText(path)))) return undefined;
  if (!isRecord(note)) return undefined;
  const { salt, path, variables, files, programs } = note;
  if (typeof salt !== "string" || typeof path !== "string") return undefined;
  if (!isTexts(variables) || !isTexts(files) || !isRecord(programs)) return undefined;
  const isProgram = ([name, found]: [string, unknown]) => /^[\w+-][\w.+-]*$/.test(name) && isTexts(found);
  if (!Object.entries(programs).every(isProgram)) return undefined;
  return { salt, path, variables, files, programs: programs as Surroundings["programs"] };
}

/** A relative path that stays where it begins, and is no part of a repository's own folder. */
export const isInside = (path: string): boolean =>
  !path.startsWith("/") && !path.includes("\0") && !path.split("/").some((step) => step === ".." || step === ".git");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [undefined]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((each) => typeof each === "string");
