import { join } from "node:path";
import { steadyClock } from "../compose/index.ts";
import { directories, loadConfig } from "../config/index.ts";
import type { Told } from "./answer-happening.ts";
import { textAt } from "./payload.ts";

/** The host waits for us: what takes longer is kept when the list is written. */
const AT_MOST_MS = 12_000;

/**
 * You said something in a session without a run: whatever list comes of it is judged by the files as they are now, before the
 * agent did anything. Where no check may run there is nothing to keep.
 */
export async function beginWork({ dialect, session, payload, env, home }: Told): Promise<void> {
  const cwd = textAt(payload, "cwd") ?? process.cwd();
  const loaded = await loadConfig({ cwd, env, home, host: dialect.host });
  if (!loaded.ok) return; // said where it matters
  const { run, allow, protect } = loaded.config.checks;
  if (run.length + allow.length === 0) return;
  const { createChecks } = await import("../checks/index.ts");
  const directory = join(directories({ env, home }).state, "snapshots");
  const clock = steadyClock();
  const checks = createChecks({ clock, env, guard: { directory, protect } });
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimer(clock.now() + AT_MOST_MS, resolve);
  await Promise.race([checks.begin?.({ cwd, session }), late]).catch(() => {}); // then it is kept later
  timer.cancel();
}
