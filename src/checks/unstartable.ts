import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { programsNeeded } from "../core/shell/index.ts";
import type { Check } from "../core/todo/index.ts";
import { findProgram } from "../machine/index.ts";

/** Checks that could not start as things are, one sentence each: you hear of it before the work and not after it. */
export function unstartable(
  checks: readonly Check[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): readonly string[] {
  return checks.flatMap(({ run, cwd: within = "." }) => {
    const line = typeof run === "string" ? run : run.join(" ");
    const needed = typeof run === "string" ? programsNeeded(run) : run.slice(0, 1);
    const missing = needed.find((name) =>
      name.includes("/") ? !existsSync(resolve(cwd, within, name)) : findProgram(name, { env }) === undefined,
    );
    if (missing === undefined) return [];
    const why = missing.includes("/") ? `${missing} does not exist yet` : `${missing} is not on your PATH`;
    return [`The check "${line}" cannot start: ${why}. Nothing is proven until it can.`];
  });
}
