import { randomUUID } from "node:crypto";
import { answerTo, type Place, type RunOrder, triggerOf } from "../core/command/index.ts";
import { attemptOf, IGNORED, type Reply, type Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
import { speak } from "../engine/index.ts";
import { Failure } from "./command.ts";
import { withStore } from "./home.ts";
import type { Io } from "./io.ts";
import { pickRun } from "./pick-run.ts";
import { refuseAgent, spokenHere } from "./speaker.ts";

const PLACE: Place = { prefix: "tildone ", starts: true, namesRun: true };

/** Tells a run what you ordered, and gives its answer; `besides` is said after it. */
export const tellOrder = (io: Io, named: string | undefined, order: RunOrder, besides = ""): Promise<number> =>
  tellRun(
    io,
    named,
    triggerOf(order, randomUUID),
    (run, reply) => `${answerTo(order, reply, run, PLACE).text}${besides}`,
  );

/** Records words of the human for a run; the process that drives it acts on them. */
export function tellRun(
  io: Io,
  named: string | undefined,
  trigger: Trigger | ((run: string) => Trigger & { readonly type: "words.queue" }),
  said: (run: Run, reply: Reply) => string,
): Promise<number> {
  return withStore(io, (store) => {
    const attempt = typeof trigger === "function" ? undefined : attemptOf(trigger);
    if (attempt !== undefined) refuseAgent(store, io, attempt, named);
    const card = pickRun(store, named, io);
    const told = typeof trigger === "function" ? trigger(card.run) : trigger;
    const { reply, run } = speak(store.log, card.run, told, io.now(), spokenHere(store, io));
    if (reply.type === "refused") throw new Failure(reply.refusal.message);
    if (reply.type === "ignored" && reply.why !== "nothing_to_do" && reply.why !== "duplicate")
      throw new Failure(`${IGNORED[reply.why]} (run ${card.run})`);
    io.out(reply.type === "ignored" ? `Nothing to change in ${card.run}.` : said(run, reply));
    return 0;
  });
}
