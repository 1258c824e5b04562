import type { Client } from "pg";
import type { Clock, Timer } from "../../engine/index.ts";
import type { Database } from "./connect.ts";

/** A notification may get lost with its connection: open words are looked for this often, too. */
export const LOOK_MS = 2_000;

export const channelOf = (schema: string): string => `${schema}_inbox`;

/** Hears what is said on a connection of its own. One that is cut is opened again at the next look, and nothing is missed. */
export async function listen(
  database: Database,
  clock: Pick<Clock, "now" | "setTimer">,
  heard: (run: string) => void,
  only?: string,
): Promise<() => Promise<void>> {
  let client: Client | undefined;
  let timer: Timer | undefined;
  let isOver = false;
  let looking = Promise.resolve();
  await connect(); // the first one says what is wrong
  plan();
  return async () => {
    isOver = true;
    timer?.cancel();
    await looking;
    await drop();
  };

  async function connect(): Promise<void> {
    const fresh = await database.connect();
    fresh.on("notification", ({ payload = "" }) => {
      if (only === undefined || payload === only) heard(payload);
    });
    fresh.on("error", () => void drop());
    fresh.on("end", () => void drop());
    await fresh.query(`LISTEN ${channelOf(database.schema)}`);
    client = fresh;
  }

  async function drop(): Promise<void> {
    const old = client;
    client = undefined;
    await old?.end().catch(() => {});
  }

  function plan(): void {
    timer = clock.setTimer(clock.now() + LOOK_MS, () => {
      looking = look().then(() => {
        if (!isOver) plan();
      });
    });
  }

  async function look(): Promise<void> {
    try {
      if (!client) await connect();
      const open = await database.query<{ run: string }>(
        `SELECT DISTINCT run FROM ${database.schema}.inbox
         WHERE applied_seq IS NULL AND ($1::text IS NULL OR run = $1)`,
        [only ?? null],
      );
      for (const { run } of open) if (!isOver) heard(run);
    } catch {
      await drop(); // away: the next look tries again
    }
  }
}
