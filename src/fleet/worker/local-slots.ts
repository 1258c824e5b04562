import type { FleetRun } from "../ports.ts";

/** A queue of this process: how many of its runs this worker takes at the same time. */
interface OpenQueue {
  readonly name: string;
  workerConcurrency?: number | undefined;
}

/** The slots of one worker, shared by all queues that it serves. */
export function createLocalSlots(slots: number, queues: readonly OpenQueue[], isOpen: () => boolean) {
  const inQueue = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  return { enter, exit, spread, busy: () => busy };

  /** Undefined: there is a free one. Two queues may each give a run for the last slot; then one of them waits here. */
  function enter(run: FleetRun): Promise<void> | undefined {
    change(run, 1);
    return busy <= slots ? undefined : new Promise((done) => waiting.push(done));
  }

  function exit(run: FleetRun): void {
    change(run, -1);
    waiting.shift()?.();
  }

  function change({ queue, needs }: FleetRun, by: 1 | -1): void {
    const wanted = needs.length > 0 ? `${queue}:${[...needs].sort().join(",")}` : queue;
    const name = queues.find((each) => each.name === wanted)?.name ?? queue;
    inQueue.set(name, Math.max(0, (inQueue.get(name) ?? 0) + by));
    busy += by;
    spread();
  }

  /** Each queue may take what is free, beside what it has. */
  function spread(): void {
    const free = Math.max(0, slots - busy);
    for (const queue of queues) queue.workerConcurrency = isOpen() ? (inQueue.get(queue.name) ?? 0) + free : 0;
  }
}
