import { directories, loadConfig, sayProblem } from "../config/index.ts";
import { CHANNELS } from "../core/run/index.ts";
import { terminalAlert } from "../core/text/index.ts";
import type { Finding } from "../hooks/index.ts";
import { lineageOf } from "../machine/index.ts";
import type { Io } from "./io.ts";

/** Sends a test message by every channel that your settings name, and says what came back. */
export async function examineNotify(io: Io): Promise<readonly Finding[]> {
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
  if (!loaded.ok) return loaded.errors.map((error) => ({ status: "fix", says: sayProblem(error) }));
  const { notify } = loaded.config;
  const file = `${directories(io).config}/config.yaml`;
  if (!notify || notify.channels.length === 0)
    return [{ status: "note", says: `Nothing is sent anywhere: set \`notify\` in ${file}.` }];
  const { systemWorld, testChannels } = await import("../notify/index.ts");
  const tty = lineageOf()[0]?.tty;
  const world = systemWorld({ env: io.env, alert: terminalAlert, ...(tty !== undefined && { tty }) });
  const tested = await testChannels(notify, world, io.now());
  return [
    ...tested.map(({ channel, ok, says }): Finding => {
      const name = CHANNELS[channel];
      return ok
        ? { status: "ok", says: `Sent a test by ${name}: ${says}. Look whether it arrived.` }
        : { status: "fix", says: `The test by ${name} failed: ${says}. Fix notify.${channel} in ${file}.` };
    }),
    ...(notify.ntfy && notify.address === undefined
      ? [{ status: "note", says: "ntfy has no Approve and Deny buttons: set notify.address." } as const]
      : []),
  ];
}
