import type { Store } from "../engine/index.ts";
import { openLog, type StoreOptions } from "./open-log.ts";
import { tailOf } from "./tail-of.ts";

/** Opens the log of all runs, and makes it where there is none: a folder and a file that only their owner can read. */
export const openStore = async (options: StoreOptions): Promise<Store> =>
  (await openLog(options, async () => tailOf)).reading();
