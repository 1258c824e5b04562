import { directories } from "../../config/index.ts";
import { answerHappening } from "./answer-happening.ts";
import type { HostName } from "./dialect.ts";
import { DIALECTS } from "./dialects/index.ts";
import { doorOf } from "./door/door-of.ts";
import { type Door, openDoor } from "./door/open-door.ts";
import { lookAhead } from "./look-ahead.ts";
import { textAt } from "./payload.ts";

export interface SessionOfHost {
  readonly host: HostName;
  readonly session: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Answers the hooks of one session in this process, which is awake anyway, as they would themselves: each has a run, a store
 * and a configuration of its own, so that nothing depends on who answered. Undefined: this place has no room for a door.
 */
export async function answerHooksOf({ host, session, env, home }: SessionOfHost): Promise<Door | undefined> {
  const path = doorOf(directories({ env, home }).state, host, session);
  if (path === undefined) return undefined;
  return openDoor(path, ({ happening, ...question }, gone) => {
    const isOurs = question.host === host && question.session === session;
    const cwd = textAt(question.payload, "cwd");
    const workspace =
      isOurs && happening.type === "stopped" && cwd !== undefined ? lookAhead(cwd, question) : undefined;
    return async () => {
      if (!isOurs) throw new Error("this is another session's door");
      return answerHappening(happening, { ...question, dialect: DIALECTS[host], gone, workspace });
    };
  });
}
