import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commandLine } from "../../core/continuation/index.ts";
import type { Check } from "../../core/todo/index.ts";
import { dependenciesOf, isLock } from "../judge/shadows.ts";
import { asText, isSame, type Snapshot } from "../snapshot/index.ts";
import type { RoomPorts, RoomRun } from "./room-ports.ts";

/** The command that installs dependencies, and how it runs in a room. */
export interface Prepare {
  readonly check: Check;
  /** With the network only where you allow it. Undefined: it succeeded; else what went wrong. */
  readonly run: (at: RoomRun, signal: AbortSignal) => Promise<string | undefined>;
}

export type Prepared =
  | { readonly status: "not needed" }
  /** `failed`: the room has no dependencies any more. */
  | { readonly status: "prepared" | "failed"; readonly note: string };

/**
 * Dependencies that a changed lock file speaks of are installed anew, where you said how: the agent's own copies of them are left out. Nothing
 * of the project is removed, because what is too large to copy is only a link in the room.
 */
export async function prepareRoom(
  { prepare }: Pick<RoomPorts, "prepare">,
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  at: RoomRun,
  signal: AbortSignal,
): Promise<Prepared> {
  if (!prepare || !isRelocked(before, after)) return { status: "not needed" };
  for (const folder of foldersOf(before, after))
    await rm(join(at.room.work, folder), { recursive: true, force: true, maxRetries: 3 });
  const problem = await prepare.run(at, signal);
  const line = commandLine(prepare.check);
  return problem === undefined
    ? { status: "prepared", note: `dependencies installed by: ${line}` }
    : {
        status: "failed",
        note: `the project's own dependencies were used, because checks.prepare failed: ${line} (${problem})`,
      };
}

function isRelocked(before: Snapshot, after: Snapshot): boolean {
  const paths = new Set([...before.project.keys(), ...after.project.keys()]);
  return [...paths].some((path) => isLock(asText(path)) && !isSame(before.project.get(path), after.project.get(path)));
}

const foldersOf = (...snapshots: readonly Snapshot[]): ReadonlySet<string> =>
  new Set(
    snapshots
      .flatMap(({ project, ignored, large }) => [
        ...project.keys(),
        ...ignored.keys(),
        ...large.map(({ path }) => path),
      ])
      .flatMap((path) => dependenciesOf(asText(path)) ?? []),
  );
