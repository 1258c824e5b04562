import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./read-process.ts";

/** Where things of the user live. */
export interface Directories {
  /** `config.yaml` and `workflows/`. */
  readonly config: string;
  readonly state: string;
  readonly database: string;
}

/** `TILDONE_HOME` holds everything in one folder; a relative one is taken from the home folder, never from where we run. */
export function directories({ env, home }: { readonly env: Environment; readonly home: string }): Directories {
  const own = env.TILDONE_HOME;
  const config = own ? resolve(home, own) : join(base(env.XDG_CONFIG_HOME, home, ".config"), "tildone");
  const state = own ? config : join(base(env.XDG_STATE_HOME, home, ".local/state"), "tildone");
  return { config, state, database: join(state, "tildone.db") };
}

/** A relative XDG folder does not count, as its specification says. */
const base = (given: string | undefined, home: string, usual: string): string =>
  given && isAbsolute(given) ? given : join(home, usual);
