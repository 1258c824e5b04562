import { brakeDeadline, type Limits } from "../../core/continuation/index.ts";
import type { Failure, Run } from "../../core/run/index.ts";
import { type Clock, type Known, limitsOn, openRun, type Store } from "../../engine/index.ts";
import type { Line } from "../../hosts/index.ts";
import { supervised } from "./capabilities.ts";
import type { Program } from "./program.ts";

export interface ProcessWatch {
  /** Something stood in the host's output. */
  heard(line: Line): void;
  stop(): void;
}

export interface Watching {
  readonly clock: Clock;
  /** Measures silence. */
  readonly steady?: Clock;
  readonly store: Store;
  readonly limits: Limits;
  readonly program: Program;
  /** The run of the host's session, once there is one. */
  readonly run: () => string | undefined;
  readonly check: () => Promise<void>;
  /** Tells what was spent since the last look. */
  readonly meter: () => Promise<void>;
  /** The host is ended; `failure`: what its provider did not do. */
  readonly end: (failure?: Failure) => void;
}

const LOOK_EVERY_MS = 500;

/**
 * Ends a host whose turn has to end. Its hooks write down that it has to, and some hosts continue all the same; time that passes
 * while nothing happens is seen by us alone.
 */
export function watchProcess({
  clock,
  steady = clock,
  store,
  limits,
  program,
  run,
  check,
  meter,
  end,
}: Watching): ProcessWatch {
  const own = limitsOn(supervised(program), limits); // silence is judged below, by what the host prints
  let known: Known | undefined;
  let tools = 0;
  let heardAt = steady.now();
  let answerSince = steady.now();
  let timer = clock.setTimer(clock.now() + LOOK_EVERY_MS, look);
  let isOver = false;
  return { heard, stop };

  function stop(): void {
    isOver = true;
    timer.cancel();
  }

  function heard(line: Line): void {
    heardAt = steady.now();
    const before = tools;
    tools = Math.max(0, tools + (program.toolsIn?.(line) ?? 0));
    if (tools !== before) answerSince = heardAt;
  }

  function look(): void {
    if (isOver) return;
    void meter().catch(() => {});
    const due = dueIn(latest());
    if (due) {
      isOver = true;
      end(due === "braked" ? undefined : due);
    } else timer = clock.setTimer(clock.now() + LOOK_EVERY_MS, look);
  }

  function dueIn(now: Run | undefined): Failure | "braked" | undefined {
    const turn = now?.ledger.turn;
    if (turn?.braked && clock.now() >= turn.braked.at + program.endsWithinMs) return "braked";
    const deadline = now && turn && !turn.braked ? brakeDeadline(now, own) : undefined;
    if (deadline !== undefined && clock.now() >= deadline) void check().catch(() => {});
    const { silenceMs, answerMs } = limits.brake;
    if (tools > 0 || now?.ledger.boundary || (now && now.ledger.questions.length > 0)) return undefined;
    if (steady.now() - heardAt >= silenceMs)
      return { kind: "host", message: `${program.title} printed nothing for ${inWords(silenceMs)} and was ended` };
    return steady.now() - answerSince >= answerMs
      ? { kind: "overload", message: `the model sent no answer for ${inWords(answerMs)}` }
      : undefined;
  }

  function latest(): Run | undefined {
    const id = run();
    if (id === undefined) return undefined;
    if (known?.run.id !== id || store.log.last(id) > known.seq) known = openRun(store.log, id);
    return known.run;
  }
}

const inWords = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
