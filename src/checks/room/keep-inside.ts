import { readFileSync } from "node:fs";
import { join } from "node:path";
import { confinementFor } from "../../confine/index.ts";
import type { Command } from "../run-command.ts";
import type { RoomPlaces } from "./room-env.ts";

export interface Keeper {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Tildone's own folders: the first may be written by it, none is seen inside. */
  readonly hidden: readonly [state: string, ...string[]];
  readonly network: boolean;
}

export type Kept =
  | { readonly status: "confined"; readonly command: Command }
  | { readonly status: "unconfined"; readonly why: string };

/** The command as it runs confined to a room, which stands at the project's own path. */
export async function keepInside(command: Command, places: RoomPlaces, keeper: Keeper): Promise<Kept> {
  const { root, work, home, temp, bin, large } = places;
  const confinement = await confinementFor({
    ...{ root: work, at: root, temp, network: keeper.network, env: keeper.env, home: keeper.home },
    state: keeper.hidden[0],
    hidden: keeper.hidden,
    writable: [work, home, temp],
    readable: [bin, ...borrowed(work), ...large],
  });
  if (confinement.status === "confined") return { status: "confined", command: confinement.wrap(command) };
  return { status: "unconfined", why: `${confinement.cause}. ${confinement.fix}` };
}

/** The room's repository takes old commits from where they are. */
function borrowed(work: string): readonly string[] {
  try {
    return readFileSync(join(work, ".git/objects/info/alternates"), "utf8")
      .split("\n")
      .filter((path) => path !== "");
  } catch {
    return []; // the project has no repository
  }
}
