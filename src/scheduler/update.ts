import type { Call, Loop, Mode, Output } from "../core/call/index.ts";

/** What an observer is told, in order. `seq` counts from 1 without gaps, so that a lost update can be noticed. */
export type Update = { readonly seq: number } & Change;

export type Change =
  /** One for every state that a call enters. */
  | { readonly type: "call.entered"; readonly call: Call }
  /** A tool begins to work: once per attempt. */
  | { readonly type: "call.started"; readonly call: Call & { status: "executing" }; readonly attempt: number }
  | { readonly type: "call.printed"; readonly id: string; readonly output: Output }
  | { readonly type: "call.ended"; readonly call: Call & { status: "success" } }
  | { readonly type: "call.failed"; readonly call: Call & { status: "error" | "cancelled" } }
  /** The tool of a call that was given up came back after all. */
  | { readonly type: "call.late"; readonly id: string; readonly effect: "done" | "failed" }
  | { readonly type: "loop.found"; readonly loop: Loop }
  | { readonly type: "mode.changed"; readonly mode: Mode }
  /** Nothing is under way any more. */
  | { readonly type: "calls.settled" };

/** Should not throw and need not answer; if it does throw, or rejects, no other observer notices. */
export type Observer = (update: Update) => unknown;

/** Tells every observer, and a mistake of one does not reach the others: what it throws goes to `failed`. */
export function createObservers(failed: (error: unknown) => void) {
  const observers = new Set<Observer>();
  let seq = 0;
  return {
    add(observer: Observer): () => void {
      const own: Observer = (update) => observer(update); // the same function may be added twice
      observers.add(own);
      return () => observers.delete(own);
    },
    tell(change: Change): void {
      seq++;
      if (observers.size === 0) return;
      const update = change as { seq?: number } & Change as { seq: number } & Change;
      update.seq = seq; // ours alone, so it need not be copied
      for (const observer of observers) {
        try {
          const answer = observer(update);
          if (answer instanceof Promise) answer.catch(failed);
        } catch (error) {
          failed(error);
        }
      }
    },
    clear: () => observers.clear(),
    get seq() {
      return seq;
    },
  };
}
