import type { SettingsManager } from "@earendil-works/pi-coding-agent";
import type { Model } from "./open-agent.ts";

/**
 * We do not wait until nine tenths of the context are full: pi compacts earlier, and where it cannot the run stops before. The gap between the two
 * holds what comes after pi has looked: a nudge, the answer to it.
 */
export const COMPACT_ABOVE = 0.8;
export const STOP_ABOVE = 0.85;

/** pi keeps a fixed number of tokens free, which of a large context is far less than a tenth. What the user keeps free beyond that stays. */
export function roomFor(model: Model, settings: SettingsManager) {
  if (!model) return {};
  const reserveTokens = Math.max(
    settings.getCompactionReserveTokens(model),
    Math.ceil(model.contextWindow * (1 - COMPACT_ABOVE)),
  );
  return { compaction: { modelOverrides: { [`${model.provider}/${model.id}`]: { reserveTokens } } } };
}
