import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { getKeybindings } from "@earendil-works/pi-tui";
import type { QueuedWords, RunEvent } from "../../core/run/index.ts";
import type { OpenSession } from "./open-session.ts";

/**
 * Words that come while the agent works: into the run's queue, where they survive whatever happens to this process until the boundary.
 * False where no boundary would bring them to the agent - there is no list, or it is held or off -, so that pi's own queue must.
 */
export async function queueWords(
  { tildone, session, queue }: OpenSession,
  text: string,
  kind: QueuedWords["kind"],
): Promise<boolean> {
  const run = tildone.engine.run(session);
  const isSentOn = tildone.config.limits.enabled && run?.status === "live" && !run.ledger.off && !run.ledger.held;
  return isSentOn && (await queue.add(text, kind)).ok;
}

type Surface = Pick<ExtensionContext["ui"], "onTerminalInput" | "getEditorText" | "setEditorText">;

/**
 * Queued words go back into the editor by the key that takes pi's own back, and when the user stops the agent: what they were
 * meant for is over. Ends with what it gives.
 */
export function watchQueue(
  { tildone, session, queue }: OpenSession,
  ui: Surface,
  hasPending: () => boolean,
): () => void {
  const unlisten = ui.onTerminalInput((data) => {
    if (queue.list().length === 0 || !getKeybindings().matches(data, "app.message.dequeue")) return undefined;
    void takeBack();
    return hasPending() ? undefined : { consume: true }; // pi takes its own back, and says so when there are none
  });
  const unwatch = tildone.engine.watch((key, _run, events) => {
    if (key === session && events.some(({ event }) => isAbort(event))) void takeBack();
  });
  return () => {
    unlisten();
    unwatch();
  };

  async function takeBack(): Promise<void> {
    const taken = await queue.takeBack();
    if (taken !== "") ui.setEditorText([taken, ui.getEditorText()].filter(Boolean).join("\n\n"));
  }
}

const isAbort = (event: RunEvent): boolean => event.type === "turn.ended" && event.outcome === "aborted";
