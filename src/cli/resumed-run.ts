import type { Run } from "../core/run/index.ts";
import { livingDriver, openRun, type RunCard } from "../engine/index.ts";
import { Failure } from "./command.ts";
import { type HomeStore, withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickHere } from "./pick-run.ts";
import { refuseAgent } from "./speaker.ts";
import { whoDrives } from "./who-drives.ts";

/** The run that `--resume` names, and what you say to it. */
export async function resumed(
  words: readonly string[],
  io: Io,
): Promise<{ readonly run: Run; readonly message: string }> {
  return withStore(io, async (store) => {
    refuseAgent(store, io, "resume", words[0]);
    const { card, message } = await resumable(store, words, io);
    notDriven(store, card);
    if (card.cwd !== io.cwd)
      throw new Failure(
        `Run ${card.run} lives in another folder: cd ${card.cwd} && tildone run --resume ${card.run}`,
        2,
      );
    return { run: openRun(store.log, card.run).run, message };
  });
}

/** `[run] ["message"]`: the first word is a run if there is one of that name. */
export async function resumable(
  store: HomeStore,
  [first, second]: readonly string[],
  io: Io,
): Promise<{ readonly card: RunCard; readonly message: string }> {
  const isRun = first !== undefined && store.runs.list().some(({ run }) => run.startsWith(first));
  if (first !== undefined && !isRun && (second !== undefined || !/\s/.test(first.trim())))
    await pickHere(store, first, io);
  return {
    card: await pickHere(store, isRun ? first : undefined, io),
    message: (isRun ? second : first)?.trim() ?? "",
  };
}

/** Two processes never drive one run: the one that lives has it. */
function notDriven(store: HomeStore, card: RunCard): void {
  const driver = livingDriver(card, store.drivers.of(card));
  if (!driver) return;
  throw new Failure(
    [
      `${card.run} is being worked on by ${whoDrives(driver)}, so it cannot be resumed here.`,
      `  watch it:        tildone log ${card.run} --follow`,
      `  end it there:    ${driver.isHere ? `kill -INT ${driver.pid}` : `Ctrl-C on ${driver.machine}`}`,
    ].join("\n"),
  );
}
