import { IGNORED, type Reply, type Run, type Trigger } from "../core/run/index.ts";
import { speak } from "../engine/index.ts";
import { Failure } from "./command.ts";
import { withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickRun } from "./pick-run.ts";

/** Records words of the human for a run; the process that drives it acts on them. */
export function tellRun(
  io: Io,
  named: string | undefined,
  trigger: Trigger | ((run: string) => Trigger),
  said: (run: Run, reply: Reply) => string,
): Promise<number> {
  return withStore(io, (store) => {
    const card = pickRun(store, named, io);
    const { reply, run } = speak(
      store.log,
      card.run,
      typeof trigger === "function" ? trigger(card.run) : trigger,
      io.now(),
    );
    if (reply.type === "refused") throw new Failure(reply.refusal.message);
    if (reply.type === "ignored" && reply.why !== "nothing_to_do" && reply.why !== "duplicate")
      throw new Failure(`${IGNORED[reply.why]} (run ${card.run})`);
    io.out(reply.type === "ignored" ? `Nothing changed in ${card.run}: it is so already.` : said(run, reply));
    return 0;
  });
}
