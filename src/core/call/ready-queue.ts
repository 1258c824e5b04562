import { PRIORITIES, type Priority } from "../todo/index.ts";

/** Calls that could start, best first: by priority, then by rank. A binary heap: nothing is ever sorted anew. */
export interface ReadyQueue<T extends Ranked> {
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  readonly size: number;
}

export interface Ranked {
  readonly rank: number;
  readonly priority: Priority;
}

export function createReadyQueue<T extends Ranked>(): ReadyQueue<T> {
  const heap: T[] = [];

  function sinkFirst(): void {
    const item = heap[0]!;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && goesBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!goesBefore(heap[child]!, item)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  }

  return {
    push(item) {
      let at = heap.length;
      heap.push(item);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!goesBefore(item, heap[parent]!)) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = item;
    },
    peek: () => heap[0],
    pop() {
      const best = heap[0];
      const last = heap.pop();
      if (heap.length > 0) {
        heap[0] = last!;
        sinkFirst();
      }
      return best;
    },
    get size() {
      return heap.length;
    },
  };
}

const ORDER: Record<Priority, number> = Object.fromEntries(
  PRIORITIES.map((priority, index) => [priority, index]),
) as Record<Priority, number>;

export function goesBefore(a: Ranked, b: Ranked): boolean {
  return a.priority === b.priority ? a.rank < b.rank : ORDER[a.priority] < ORDER[b.priority];
}
