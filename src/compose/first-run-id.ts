import type { Store } from "../engine/index.ts";
import { newRunId } from "./run-id.ts";

/** The first run of a process may have been named before it began, when it was submitted. */
export function firstRunId({ log }: Pick<Store, "log">, named: string | undefined): () => string {
  if (!named) return newRunId;
  return () => (log.last(named) === 0 ? named : newRunId());
}
