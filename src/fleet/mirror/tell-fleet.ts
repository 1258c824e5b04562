import { type Told, tellRun } from "../../compose/index.ts";
import type { Approval } from "../../core/call/index.ts";
import type { Trigger } from "../../core/react/index.ts";
import type { Spoken } from "../../core/speaker/index.ts";
import { memoryStore } from "../../store/index.ts";
import { OVER } from "../ledger/index.ts";
import type { FleetRun, Ledger } from "../ports.ts";
import { readWord, type Saying } from "../read-word.ts";
import type { MirrorStore } from "./mirror-store.ts";

/** Puts a run that was woken on the queue; twice is harmless. */
export type Wake = (run: string, generation: number) => Promise<void>;

export interface FleetTelling {
  readonly ledger: Pick<Ledger, "say" | "words">;
  readonly copy: MirrorStore;
  readonly run: string;
  readonly now: number;
  readonly from?: Spoken | undefined;
  readonly wake: Wake;
}

/**
 * Says something to a run of the fleet. The answer is found out on a copy of its log, so that what is refused is refused at once and in the
 * same sentence; the process that works on the run applies it, and a run that waits is woken. `from.request` names what is said: said again
 * with the same name, it is the same.
 */
export async function tellFleet(
  { ledger, copy, run: name, now, from, wake }: FleetTelling,
  trigger: Trigger,
): Promise<Told> {
  const run = await copy.follow(name);
  if (!run) return { status: "refused", code: "no_run", text: `The fleet has no run ${name}.` };
  if (OVER.includes(run.state)) return over(run);
  const key = from?.request;
  const before = async () => (await openWords(ledger, name)).filter((said) => !key || said.from?.request !== key);
  if (run.seq === 0 && !EARLY.has(trigger.type))
    return {
      status: "refused",
      code: "not_begun",
      text: `${name} has not begun yet, so there is nothing to answer, to accept or to change in it.`,
    };
  const told: Told | undefined = run.seq === 0 ? undefined : tried(copy, name, await before(), { trigger, from }, now);
  if (told && told.status !== "done") return told;
  const said = await ledger.say({
    run: name,
    trigger: JSON.stringify(exactly(trigger, told)),
    from: JSON.stringify(from ?? null),
    ...(key !== undefined && { key }),
  });
  if ("status" in said)
    return said.status === "unknown"
      ? { status: "refused", code: "no_run", text: `The fleet has no run ${name}.` }
      : over({ ...run, state: said.state });
  if (said.wake) await wake(name, said.wake.generation);
  return told ?? { status: "unchanged", later: true, text: `${name} has not begun yet; this is applied when it does.` };
}

/** What can be said to a run that has no log. */
const EARLY: ReadonlySet<Trigger["type"]> = new Set(["human.hold", "human.unhold", "human.extend", "words.queue"]);

/** An answer names what you saw: should another machine repeat the turn, it holds for exactly this call, and for no other. */
function exactly(trigger: Trigger, told: Told | undefined): Trigger {
  if (trigger.type !== "human.answer" || told?.status !== "done" || told.reply.type !== "done") return trigger;
  const { digest, call } = (told.reply.details?.approval ?? {}) as Partial<Approval>;
  return { ...trigger, call: digest ?? call ?? trigger.call };
}

/** What was said before and is still on its way: `unhold` right after `hold` has something to do. */
async function openWords(ledger: FleetTelling["ledger"], run: string): Promise<readonly Saying[]> {
  const words = await ledger.words(run);
  return words.filter(({ appliedSeq }) => appliedSeq === undefined).flatMap((word) => readWord(word) ?? []);
}

/** On a copy of the copy: what is only tried must not be seen by the next one who reads. */
function tried(copy: MirrorStore, run: string, before: readonly Saying[], saying: Saying, now: number): Told {
  const { log, runs } = copy.store;
  const store = memoryStore();
  const { events } = log.read(run, 0);
  const card = runs.get(run);
  store.log.transact(run, 0, () => ({
    append: events.map(({ seq: _, ...event }) => event),
    value: 0,
    ...(card && { card, bind: card }),
  }));
  for (const { trigger, from } of before) tellRun({ store, run, now, from }, trigger);
  return tellRun({ store, run, now, from: saying.from }, saying.trigger);
}

const OVER_TEXT: Readonly<Record<string, string>> = {
  finished: "is finished",
  cancelled: "was cancelled",
  poisoned: "was given up after 3 workers died on it",
};
const over = ({ run, state }: FleetRun): Told => ({
  status: "refused",
  code: "run_over",
  text: `${run} ${OVER_TEXT[state] ?? "is over"}; nothing more can be said to it. Submit a new goal: tildone submit`,
});
