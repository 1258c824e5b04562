import { callsEnded, completing } from "./calls-ended.ts";
import type { CommandPlace } from "./carry-out.ts";
import { readCommand } from "./command.ts";
import type { Dialect } from "./dialect.ts";
import type { Answer, EventName, Happening } from "./happening.ts";
import type { HookHost } from "./host.ts";
import { commanded, contextOf, inPassing, prompted, telling } from "./prompted.ts";
import type { ServerState } from "./server-state.ts";
import { stopped } from "./stopped.ts";
import { aborted, compacted, failed, hostLeft, isInTurn, sessionEnded } from "./turn-over.ts";

export interface Respondent extends CommandPlace {
  readonly dialect: Dialect;
  /** The moment that is answered. */
  readonly event: EventName;
  readonly host: HookHost;
  readonly now: () => number;
  /** Which of these messages the agent has before its eyes; undefined: the host keeps nothing that says so. */
  readonly heard: (ids: readonly string[]) => Promise<readonly string[] | undefined>;
  /** Our server is not there. */
  readonly server?: ServerState;
  /** A supervisor started the host. */
  readonly isSupervised: boolean;
}

export type Spoken = Exclude<Happening, { type: "call.asked" }>;

/** What a happening means for the run of this session, and what the host is answered, with what you read beside it. */
export async function respond(happening: Spoken, respondent: Respondent): Promise<Answer | undefined> {
  const answer = await answered(happening, respondent);
  const show = respondent.host.shown(happening.type === "prompted");
  if (show === "") return answer;
  return answer ? { ...answer, show } : { type: "show", show };
}

async function answered(happening: Spoken, respondent: Respondent): Promise<Answer | undefined> {
  const { engine, session } = respondent;
  const run = engine.run(session);
  const live = run?.status === "live" ? run : undefined;
  switch (happening.type) {
    case "session.started":
      await compacted(live, respondent);
      // A process begins with this session, and the turn of the one before it never ended.
      if (live && isInTurn(live) && !happening.afterCompaction && happening.before().how !== "interrupted")
        await engine.tell(session, { type: "host.left" });
      return live && telling([contextOf(live)]);
    case "prompted": {
      const command = happening.from === "human" ? readCommand(happening.text) : undefined;
      if (command && !command.isSentence) return commanded(command, happening.turn, respondent);
      if (command) await inPassing(command, respondent);
      return live && prompted(happening, live, respondent);
    }
    case "calls.ended":
      return callsEnded(happening, respondent);
    case "task.completing":
      return live && completing(happening.text, live);
    case "stopped":
      await compacted(live, respondent);
      return live && stopped(happening, live, respondent);
    case "failed":
      await compacted(live, respondent);
      await failed(happening, live, respondent);
      return undefined;
    case "aborted":
      if (live) await aborted(happening, live, respondent);
      return undefined;
    case "session.ended":
      await compacted(live, respondent);
      if (live) await sessionEnded(happening, live, respondent);
      return undefined;
    case "host.left":
      if (live) await hostLeft(happening, live, respondent);
      return undefined;
    case "compacting":
      await engine.tell(session, { type: "compaction.began" });
      return undefined;
  }
}
