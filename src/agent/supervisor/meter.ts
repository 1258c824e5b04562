import type { Environment } from "../../config/index.ts";
import { NO_USAGE, type Usage } from "../../core/run/index.ts";
import type { Line, SpendTold } from "../../hosts/index.ts";
import type { Program } from "./program.ts";
import { followSession } from "./session-file.ts";

export interface Meter {
  /** A line of the host's output. */
  heard(line: Line): void;
  /** Looks into the host's own files, and tells what was spent and not told before. */
  look(session: string | undefined): Promise<void>;
}

export interface Metering {
  readonly program: Program;
  readonly env: Environment;
  /** The session that is continued: what its files hold before is not spent again. */
  readonly resumed?: string | undefined;
  /** Gives whether it was recorded; what was not is told again, with what came since. */
  readonly tell: (usage: Usage) => Promise<boolean>;
}

/** What one process of a host uses, as it says so itself. */
export function createMeter({ program, env, resumed, tell }: Metering): Meter {
  const { spend } = program;
  const read = spend?.reader();
  const written = spend?.files && followSession(spend.files, env);
  const known = new Map<string, Usage>();
  let untold: Usage = NO_USAGE;
  let telling: Promise<void> | undefined;
  if (resumed !== undefined) for (const line of written?.(resumed) ?? []) count(line);
  untold = NO_USAGE;
  return { heard: count, look };

  function count(line: Line): void {
    const told = read?.(line);
    if (told) untold = plus(untold, news(told));
  }

  function news({ of, usage }: SpendTold): Usage {
    const before = known.get(of) ?? NO_USAGE;
    known.set(of, combined(Math.max, before, usage));
    return combined((now, then) => Math.max(0, now - then), usage, before);
  }

  async function look(session: string | undefined): Promise<void> {
    if (session !== undefined) for (const line of written?.(session) ?? []) count(line);
    await telling;
    if (telling || !hasSome(untold)) return;
    const due = untold;
    untold = NO_USAGE;
    telling = tell(due)
      .then(
        (isRecorded) => isRecorded,
        () => false, // a log that is busy is asked again
      )
      .then((isRecorded) => {
        if (!isRecorded) untold = plus(untold, due);
        telling = undefined;
      });
    await telling;
  }
}

const combined = (how: (a: number, b: number) => number, a: Usage, b: Usage): Usage => ({
  input: how(a.input, b.input),
  output: how(a.output, b.output),
  cacheRead: how(a.cacheRead, b.cacheRead),
  cacheWrite: how(a.cacheWrite, b.cacheWrite),
  cost: how(a.cost, b.cost),
});

const plus = (a: Usage, b: Usage): Usage => combined((one, other) => one + other, a, b);

const hasSome = (usage: Usage): boolean => Object.values(usage).some((amount) => amount > 0);
