import { openLog, type StoreOptions, type UnreadStore } from "./open-log.ts";

/** For a process that may find no run: what is known of events is loaded when they are going to be read. */
export const openUnread = (options: StoreOptions): Promise<UnreadStore> =>
  openLog(options, async () => (await import("./tail-of.ts")).tailOf);
