/** Sends what waits in the log of one run: `node tildone-notify.js <run>`. Ends when nothing is left to be sent. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { directories, loadConfig } from "../config/index.ts";
import { terminalAlert } from "../core/text/index.ts";
import { openRun } from "../engine/index.ts";
import { systemClock } from "../machine/index.ts";
import { sendWaiting, systemWorld } from "../notify/index.ts";
import { openStore } from "../store/index.ts";
import { stayAwake } from "./stay-awake.ts";

export async function main(run: string | undefined): Promise<void> {
  const { TILDONE_TTY: tty, BUN_BE_BUN: _, ...env } = process.env;
  const home = homedir();
  const { database } = directories({ env, home });
  if (run === undefined || !existsSync(database)) return;
  const store = await openStore({ path: database });
  try {
    const { origin } = openRun(store.log, run).run;
    const loaded = await loadConfig({ cwd: origin.cwd, env, home, host: origin.host, agent: origin.agent });
    // What waits is sent as your settings are now; nothing of a project is heard here, trusted or not.
    const notify = loaded.ok ? loaded.config.notify : undefined;
    if (notify)
      await stayAwake(() =>
        sendWaiting({
          ...{ log: store.log, run, notify, clock: systemClock() },
          world: systemWorld({ env, alert: terminalAlert, ...(tty && { tty }) }),
        }),
      );
  } finally {
    store.close();
  }
}
