const actions = new Set<() => void>();

/**
 * `action` runs when the process ends; the answer forgets it. One listener serves all: a check ends many commands at
 * once, and Node warns on the user's screen from the eleventh listener on.
 */
export function atExit(action: () => void): () => void {
  if (actions.size === 0) process.on("exit", runAll);
  actions.add(action);
  return () => {
    if (actions.delete(action) && actions.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const action of actions) {
    try {
      action();
    } catch {
      // The others still have their turn, and there is no reader left.
    }
  }
}
