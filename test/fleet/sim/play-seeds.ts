import { memoryLedger } from "../../../src/fleet/index.ts";
import { ledgerKinds } from "../ledgers.ts";
import { type Played, playSeed, type SimulatedLedger } from "./world.ts";

export type SimulatedStore = "memory" | "postgres";

export interface Seeds {
  readonly seeds: number;
  readonly from: number;
  readonly store: SimulatedStore;
  /** Stops at the first broken promise. */
  readonly first?: boolean;
  readonly say?: (line: string) => void;
}

/** Plays worlds, one after the other. Gives those that broke a promise. */
export async function playSeeds({
  seeds,
  from,
  store,
  first = false,
  say = () => {},
}: Seeds): Promise<readonly Played[]> {
  const kinds = store === "postgres" ? ledgerKinds().PostgreSQL : undefined;
  const failed: Played[] = [];
  const begun = performance.now();
  let toldAt = begun;
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      const played = kinds ? await onPostgres(seed, kinds.open) : await playInMemory(seed);
      if (played.broken.length > 0) {
        failed.push(played);
        say(failureText(played));
        if (first) break;
      }
      if (performance.now() - toldAt < 5_000) continue;
      toldAt = performance.now();
      say(`${seed - from + 1} of ${seeds} seeds, ${failed.length} broke a promise`);
    }
  } finally {
    await kinds?.close();
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  say(
    `${seeds} seeds from ${from} on ${store} in ${seconds} s: ${failed.length === 0 ? "every promise kept" : `${failed.length} broke a promise`}`,
  );
  return failed;
}

export function playInMemory(seed: number): Promise<Played> {
  const clock = { now: 1_000_000 };
  return playSeed(seed, { ledger: memoryLedger(() => clock.now), clock });
}

/** Its clock is its own: slots that a lost call left behind would keep a world waiting for a minute. */
async function onPostgres(seed: number, open: () => Promise<SimulatedLedger["ledger"]>): Promise<Played> {
  const ledger = await open();
  try {
    return await playSeed(seed, { ledger }, "unlimited");
  } finally {
    await ledger.close();
  }
}

const SHOWN = 40;

function failureText({ seed, broken, trace, setup }: Played): string {
  const [{ promise, detail } = { promise: "", detail: "" }] = broken;
  return [
    ...[`seed ${seed} broke "${promise}": ${detail}`, `  ${JSON.stringify(setup)}`],
    ...trace.slice(-SHOWN).map((line) => `  ${line}`),
    `  again: npm run test:fleet -- --sim 1 --from ${seed}`,
  ].join("\n");
}
