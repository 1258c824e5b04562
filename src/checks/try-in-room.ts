import type { Check } from "../core/todo/index.ts";
import { toldOf } from "./check-result.ts";
import type { Perform, PerformPorts } from "./perform-check.ts";
import type { RoomPorts, RoomRun, Tried } from "./room/room-ports.ts";

/** Runs a check in a room, and where it fails once more with the network and once more unconfined. */
export function createTryIn(perform: Perform, confine: PerformPorts["confine"]): RoomPorts["tryIn"] {
  return async (check, at, signal) => {
    if (at.exactly !== undefined) return alike(check, at, at.exactly, signal);
    const first = toldOf(check, await perform(check, at, signal));
    if (!first.confined || first.end === undefined || signal.aborted || confine?.mode === "required") return first;
    // It may need the network or your home folder: that is no evidence of anything, but it has to be said.
    if (!confine?.network) {
      const online = await alike(check, at, "network", signal);
      if (online.end === undefined) return { ...online, confined: false, why: NEEDS_NETWORK, needs: "network" };
      if (signal.aborted) return first;
    }
    const second = await alike(check, at, "more", signal);
    return second.end === undefined ? { ...second, why: NEEDS_MORE, needs: "more" } : first;
  };

  async function alike(check: Check, at: RoomRun, given: RoomRun["exactly"], signal: AbortSignal): Promise<Tried> {
    const { root, env, low } = at;
    const place = given === "more" ? { root, env, low } : { ...at, network: given === "network" };
    return toldOf(check, await perform(check, place, signal));
  }
}

const NEEDS_NETWORK = "it passes only with the network (`checks.network: true` allows it)";
const NEEDS_MORE = "it passes only so, because it needs your home folder or other things around its room";
