import type { Clock, Timer } from "../engine/index.ts";

/** A clock that stands still until it is told to move. Nothing in a test waits for real time. */
export interface FakeClock extends Clock {
  /** Moves time on by `ms`. Timers due on the way fire in order, each with `now()` at its own time. */
  advance(ms: number): Promise<void>;
  /** Time leaps by `ms`, as when the machine slept: timers that came due meanwhile fire late, in order. */
  jump(ms: number): Promise<void>;
  /** The time of day goes back by `ms`. What is due is due after the same while as before, so that timers fire early by it. */
  stepBack(ms: number): void;
  /** Lets every promise that can settle without time passing do so. */
  settle(): Promise<void>;
  /** Timers set and neither fired nor cancelled: what a leak check counts. */
  readonly pending: number;
}

interface Due extends Timer {
  at: number;
  readonly fire: () => void;
}

/** Time that passes only when the test says so. */
export function createFakeClock(start = 0): FakeClock {
  let now = start;
  let zero = 0; // moves with leaps: they are not time that passed
  const queue: Due[] = []; // by time, and within one time by the order they were set

  return {
    now: () => now,
    timebase: () => ({ boot: "fake", zero }),
    setTimer(at, fire) {
      const timer: Due = { at, fire, cancel: () => remove(queue, timer) };
      insert(queue, timer);
      return timer;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      await fireUntil(end);
      now = end;
    },
    async jump(ms) {
      await settle();
      now += ms;
      zero += ms;
      await fireUntil(now);
    },
    stepBack(ms) {
      now -= ms;
      zero -= ms;
      for (const timer of queue) timer.at -= ms;
    },
    settle,
    get pending() {
      return queue.length;
    },
  };

  async function fireUntil(end: number): Promise<void> {
    for (let next = queue[0]; next !== undefined && next.at <= end; next = queue[0]) {
      queue.shift();
      now = Math.max(now, next.at);
      next.fire();
      await settle(); // what this timer started may set or cancel the next one
    }
  }
}

function insert(queue: Due[], timer: Due): void {
  let index = queue.length;
  while (index > 0 && queue[index - 1]!.at > timer.at) index--;
  queue.splice(index, 0, timer);
}

function remove(queue: Due[], timer: Due): void {
  const index = queue.indexOf(timer);
  if (index >= 0) queue.splice(index, 1);
}

/** One turn of the event loop: it begins only when no promise callback is left to run. */
function settle(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
