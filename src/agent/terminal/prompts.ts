import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Clock, Timer } from "../../engine/index.ts";

/**
 * One prompt at a time, ours or of another extension. pi shows a new one in place of the one before, whose answer then never comes; and
 * keys that were meant for the editor would answer it.
 */
export interface Prompts {
  /** Asks when no prompt is open. */
  ask<T>(prompt: () => Promise<T>): Promise<T>;
  /** Asks when the user is not typing either: the editor is empty, and no key was pressed a moment ago. */
  askInQuiet<T>(prompt: () => Promise<T>): Promise<T>;
  /** The user wrote something that is not sent yet. */
  hasDraft(): boolean;
  /** pi says that a prompt was opened, ours or not, and that it was closed. */
  opened(): void;
  closed(): void;
  dispose(): void;
}

/** As long as a hand needs to notice that something else stands there now. */
const QUIET_MS = 700;

export function createPrompts(
  ui: Pick<ExtensionContext["ui"], "onTerminalInput" | "getEditorText">,
  clock: Clock,
): Prompts {
  const waiting = new Set<() => void>();
  let isTaken = false;
  let isOpen = false;
  let lastKey = Number.NEGATIVE_INFINITY;
  let quiet: Timer | undefined;

  const unwatch = ui.onTerminalInput(() => {
    lastKey = clock.now();
    quiet?.cancel();
    quiet = clock.setTimer(lastKey + QUIET_MS, changed);
    return undefined;
  });

  return {
    ask: (prompt) => asSoonAs(() => true, prompt),
    askInQuiet: (prompt) => asSoonAs(() => !hasDraft() && clock.now() - lastKey >= QUIET_MS, prompt),
    hasDraft,
    opened() {
      isOpen = true;
    },
    closed() {
      isOpen = false;
      changed();
    },
    dispose() {
      unwatch();
      quiet?.cancel();
      waiting.clear();
    },
  };

  function hasDraft(): boolean {
    return ui.getEditorText().trim() !== "";
  }

  async function asSoonAs<T>(isFree: () => boolean, prompt: () => Promise<T>): Promise<T> {
    while (isTaken || isOpen || !isFree()) await new Promise<void>((resolve) => waiting.add(resolve));
    isTaken = true; // pi tells of a prompt a moment after it is there
    try {
      return await prompt();
    } finally {
      isTaken = false;
      changed();
    }
  }

  function changed(): void {
    const told = [...waiting];
    waiting.clear();
    for (const tell of told) tell();
  }
}
