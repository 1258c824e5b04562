import { systemClock } from "../compose/index.ts";
import { bindContinued, type Store } from "../engine/index.ts";
import type { Told } from "./answer-happening.ts";

/** The supervisor names the session whose run this one continues; its own hooks are the first to hear of it. */
export function bindBegun(store: Store, { dialect: { host }, session, env }: Told): void {
  const before = env.TILDONE_CONTINUES;
  if (before) bindContinued(store, { host, session, before }, systemClock().now());
}
