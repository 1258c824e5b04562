import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "./io.ts";

/** The model that pi's own settings name, read without pi: loading it takes longer than saying it may. */
export function ownModel({ env, home }: Pick<Io, "env" | "home">): string | undefined {
  const folder = env.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent");
  try {
    const { defaultProvider: provider, defaultModel: model } = JSON.parse(
      readFileSync(join(folder, "settings.json"), "utf8"),
    ) as Record<string, unknown>;
    return typeof provider === "string" && typeof model === "string" ? `${provider}/${model}` : undefined;
  } catch {
    return undefined; // none, or one that pi will complain about itself
  }
}
