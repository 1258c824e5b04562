import { watch } from "node:fs";

/** Resolves when something of this name is made or changed in a folder. */
export const fileAppears = (folder: string, name: string): Promise<void> =>
  new Promise((there) => {
    const watcher = watch(folder, (_event, changed) => {
      if (changed !== name) return;
      watcher.close();
      there();
    });
  });
