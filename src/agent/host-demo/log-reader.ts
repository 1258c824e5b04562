import { existsSync } from "node:fs";
import { type Envelope, evolve, type Run, UNBORN } from "../../core/run/index.ts";
import { readLog, type Store } from "../../engine/index.ts";
import { openStore } from "../../store/index.ts";

/** Reads what the host's hooks wrote since the last look, from the log that they share. */
export function createLogReader(database: string, onEvent: (event: Envelope, run: Run) => void) {
  let store: Store | undefined;
  let run: Run = UNBORN;
  let seq = 0;
  return {
    async look(): Promise<void> {
      if (!existsSync(database)) return;
      store ??= await openStore({ path: database });
      const [card] = store.runs.list();
      if (card === undefined) return;
      for (const entry of readLog(store.log, card.run, seq)) {
        seq = entry.seq;
        if ("problem" in entry) continue;
        run = evolve(run, entry.envelope);
        onEvent(entry.envelope, run);
      }
    },
    todos: (): readonly string[] => run.plan.todos.map(({ text }) => text),
    close: () => store?.close(),
  };
}
