import type { Brake } from "../core/continuation/index.ts";
import type { Reply } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import { brakeText } from "../core/view/index.ts";
import type { Engine } from "../engine/index.ts";
import type { Dialect } from "./dialect.ts";
import type { Answer, EventName, Happening } from "./happening.ts";

export interface Braking {
  readonly engine: Engine;
  readonly dialect: Dialect;
  readonly session: string;
}

/** Whether the turn of this call has to end. */
export async function brakeCall(
  { tool }: Happening & { type: "call.asked" },
  braking: Braking,
): Promise<Answer | undefined> {
  const { engine, session } = braking;
  const due = dueIn(await engine.tell(session, { type: "turn.check" }), engine.run(session));
  if (!due) return undefined;
  const free = tool.ours !== undefined || tool.kinds.includes("@control");
  return ending(due, free, "pre-tool", braking);
}

/** The answer that ends the turn; where the host ends it with this very one, it is over in the log, too. */
export async function ending(
  { reason, detail }: Due,
  free: boolean,
  at: EventName,
  { engine, dialect, session }: Braking,
): Promise<Answer> {
  if (dialect.endsTurnAt === at && engine.run(session)?.ledger.turn?.braked)
    await engine.tell(session, { type: "turn.ended", outcome: "aborted" });
  const says = brakeText(reason, detail);
  return { type: "end", reason: dialect.endsTurnAt === undefined ? `${says} ${ONLY_YOU_CAN}` : says, free };
}

/** For an agent whose host lets no hook end a turn. */
const ONLY_YOU_CAN = "Every further call is refused: call nothing more, say what is open, and end your turn.";

type Due = Pick<Brake, "reason" | "detail">;

/** The turn that runs is braked; or it was ended, and this is one more call of it; or it began before there was a run. */
export function dueIn(reply: Reply, run: Run | undefined): Due | undefined {
  if (reply.type === "done" && reply.brake) return reply.brake;
  const { turn, boundary, held } = run?.ledger ?? {};
  if (turn) return undefined;
  if (boundary) return boundary.braked?.lifted ? undefined : boundary.braked;
  return held ? { reason: "held" } : undefined;
}
