import type { RoomPlan } from "../judge/compose-room.ts";
import type { Strayed } from "./surroundings.ts";

/** What differs between a project and the room in which its judge is from before the work. */
export interface Differences {
  readonly plan: Pick<RoomPlan, "restored" | "leftOut" | "dependencies" | "unrestored" | "declared" | "besides">;
  readonly strayed: Strayed;
  /** What the agent, and only the agent, said it would change. */
  readonly askedFor: (path: string) => boolean;
  readonly home: string | undefined;
}

export const isDifferent = ({ plan, strayed }: Differences): boolean =>
  [plan.restored, plan.leftOut, plan.dependencies, plan.unrestored, strayed.files, strayed.programs].some(
    (names) => names.length > 0,
  );

/** In words, most telling first; `end` is how the check ended in the room, undefined where it passed. */
export function doubtText(differences: Differences, end: string | undefined): string {
  const { plan, strayed, askedFor } = differences;
  const programs = strayed.programs.map(({ name }) => `the program ${name}`);
  const all = end === undefined ? plan.restored : [...plan.restored, ...plan.besides];
  const restored = all.filter((path) => !askedFor(path.replace(/ \(.*$/, "")));
  const asked = all.filter((path) => !restored.includes(path));
  const without = end === undefined ? "the check passes without it too" : `without it the check does not pass (${end})`;
  const clauses = [
    ...(restored.length > 0 ? [`${named(restored)} modified without being declared${old(end)}`] : []),
    ...(asked.length > 0 ? [`${named(asked)} declared by the agent and changed${old(end)}`] : []),
    ...(plan.leftOut.length > 0 ? [`${named(plan.leftOut)} added and could steer the check; ${without}`] : []),
    ...(plan.dependencies.length > 0
      ? [`${named(plan.dependencies)} changed without the lock file${old(end, "what was installed before")}`]
      : []),
    ...(strayed.files.length + programs.length > 0
      ? [
          `${named([...strayed.files.map((path) => tilde(path, differences.home)), ...programs])} changed since the run began; ${without}`,
        ]
      : []),
  ];
  return clauses.length > 0 ? clauses.join("; ") : `it passes in the project, but not in a clean room (${end})`;
}

/** Passed, but with something that could not be put back. */
export const unrestoredText = (names: readonly string[]): string =>
  `${named(names)} changed without the lock file and cannot be put back`;

/** Passed, while what judges was not left alone. */
export const disturbedText = (names: readonly string[]): string =>
  `${named(names)} changed in the room while the check ran`;

/** Passed, and with new tests it passes where nothing was done, too. */
export const emptiedText = (names: readonly string[]): string =>
  `the check passes only with the new ${list(names)}, and then without the work as well`;

/** Passed with the network alone, where a program answers that was not there before. */
export const listenersText = (places: readonly string[]): string =>
  `the check passes only with the network, and a program that was started since the run began listens on ${list(places)}`;

/** Passed unconfined alone, with settings around the room that were not there before. */
export const besideText = (paths: readonly string[]): string =>
  `the check passes only unconfined, and ${named(paths)} changed since the run began`;

/** Passed, and by something beyond the project: without the work it passes as well. */
export const beyondText = (paths: readonly string[], home: string | undefined): string =>
  paths.length === 0
    ? "the check failed before the work began and passes now without the work as well"
    : `${named(paths.map((path) => tilde(path, home)))} changed since the run began, and the check passes without the work as well`;

/** Passed, and passes with a test that cannot pass. */
export const mutedText = (paths: readonly string[]): string =>
  `the check passes even with a failing test in ${list(paths)}: the work ends the tests or replaces what they compare with`;

/** Passed with packages that the agent changed, and with nothing but failing tests as well. */
export const renewedText = (names: readonly string[]): string =>
  `${named(names)} changed together with the lock file, and the check passes with nothing but failing tests as well`;

const old = (end: string | undefined, what = "the old content"): string =>
  end === undefined ? `; the check passes with ${what} too` : `, and with ${what} the check does not pass (${end})`;

const MOST_NAMES = 3;

const named = (names: readonly string[]): string => `${list(names)} ${names.length === 1 ? "was" : "were"}`;

function list(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

const tilde = (path: string, home: string | undefined): string =>
  home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
