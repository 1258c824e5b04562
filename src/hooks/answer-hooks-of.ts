import { directories } from "../config/index.ts";
import { answerHappening } from "./answer-happening.ts";
import type { Dialect } from "./dialect.ts";
import { doorOf } from "./door/door-of.ts";
import { isLike, likenessOf } from "./door/likeness.ts";
import { type Door, openDoor } from "./door/open-door.ts";
import { lookAhead } from "./look-ahead.ts";
import { textAt } from "./payload.ts";

export interface SessionOfHost {
  readonly dialect: Dialect;
  readonly session: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Answers the hooks of one session in this process, which is awake anyway, as they would themselves: each has a run, a store
 * and a configuration of its own, so that nothing depends on who answered. Undefined: this place has no room for a door.
 */
export async function answerHooksOf({ dialect, session, env, home }: SessionOfHost): Promise<Door | undefined> {
  const path = doorOf(directories({ env, home }).state, dialect.host, session);
  if (path === undefined) return undefined;
  const own = likenessOf(env, home);
  return openDoor(path, ({ happening, like, event, payload, ...question }, gone) => {
    const needed = happening.type === "stopped" ? "all" : "place"; // a stop may run checks
    if (question.host !== dialect.host || question.session !== session)
      throw new Error("this is another session's door");
    if (!isLike(like, own, needed)) throw new Error("the hook has another environment and does its work itself");
    const told = { dialect, session, event, payload, env, home };
    const cwd = textAt(payload, "cwd");
    const workspace = happening.type === "stopped" && cwd !== undefined ? lookAhead(cwd, told) : undefined;
    return () => answerHappening(happening, { ...told, gone, workspace });
  });
}
