import { randomUUID } from "node:crypto";
import { answerTo, type Place, type RunOrder, triggerOf } from "../core/command/index.ts";
import { attemptOf, type Reply, type Trigger } from "../core/react/index.ts";
import type { Run } from "../core/run/index.ts";
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

/** Records words of yours for the run that is meant; the process that drives it acts on them. */
export function tellRun(
  io: Io,
  named: string | undefined,
  trigger: Trigger | ((run: string) => Trigger & { readonly type: "words.queue" }),
  said: (run: Run, reply: Reply) => string,
): Promise<number> {
  return withStore(io, async (store) => {
    const attempt = typeof trigger === "function" ? undefined : attemptOf(trigger);
    if (attempt !== undefined) refuseAgent(store, io, attempt, named);
    const { run } = await pickRun(store, named, io);
    const told = await store.tell(run, typeof trigger === "function" ? trigger(run) : trigger, spokenHere(store, io));
    if (told.status === "refused") throw new Failure(told.text);
    io.out(told.status === "done" ? said(told.run, told.reply) : told.text);
    return 0;
  });
}
