import { firstOf, type OwnedCheck } from "../../core/continuation/index.ts";
import type { RoomPlan } from "../judge/compose-room.ts";
import { changedOutside } from "./changed-outside.ts";
import { beyondText } from "./doubt-text.ts";
import { asBegun, type Case, type Outcome, tryPlan } from "./try-plan.ts";

/**
 * What lies beyond the project cannot be put back. Where it changed, or the check needs more than a room has and failed before, the
 * project as it was has to fail still: if it passes now, it is not the work that lets the check pass.
 */
export async function doubtBeyond(
  given: Case,
  owned: OwnedCheck,
  plan: RoomPlan,
  tried: Outcome,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { ports, run, before, surroundings, there } = given;
  const first = firstOf(run, owned.check);
  const outside = { commands: plan.commands, env: ports.env, root: before.root, until: there.began };
  const changed = changedOutside(surroundings, outside).filter(
    ({ isNamed, at }) => isNamed || first?.status !== "passed" || at <= first.at,
  );
  if (changed.length === 0 && !(tried.needs !== undefined && first?.status === "failed")) return undefined;
  const idle = await tryPlan(given, owned, asBegun(given, plan), signal);
  if (!idle || idle.end !== undefined || (idle.needs !== undefined && idle.needs !== tried.needs)) return undefined;
  return beyondText(
    changed.map(({ path }) => path),
    ports.env.HOME,
  );
}
