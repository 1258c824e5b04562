import { join } from "node:path";
import { steadyClock } from "../compose/index.ts";
import { directories } from "../config/index.ts";
import type { Workspace } from "../engine/index.ts";

/** A look that is under way. */
export interface LookAhead extends Workspace {
  /** Over when git was started. Whoever loads the rest before that lets git wait: to load is all that a process does meanwhile. */
  readonly begun: Promise<unknown>;
}

/**
 * A stop ends with a look at the files, and git takes its time: it is asked before the rest of us is loaded. Only the first
 * look was made ahead; another one is made when it is asked for.
 */
export function lookAhead(cwd: string, { env, home }: Whereabouts): LookAhead {
  const workspace = import("../checks/workspace/index.ts").then(({ createWorkspace }) =>
    createWorkspace({ clock: steadyClock(), env, cacheDirectory: join(directories({ env, home }).state, "workspace") }),
  );
  let ahead: Promise<string | undefined> | undefined = workspace.then(({ observe }) => observe(cwd));
  ahead.catch(() => {}); // told to the caller that asks for it
  return {
    begun: workspace.then(
      () => new Promise(setImmediate), // nothing that stands before git waits for more than a promise
      () => undefined,
    ),
    observe: async (where) => {
      const seen = where === cwd ? ahead : undefined;
      ahead = undefined;
      return seen ?? (await workspace).observe(where);
    },
  };
}

interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}
