import { stayAwake } from "../../compose/index.ts";
import type { Nudge, Reply, Trigger } from "../../core/react/index.ts";
import type { QueuedWords } from "../../core/run/index.ts";
import type { Clock, Settled } from "../../engine/index.ts";
import { createHeldText } from "./held-text.ts";
import { createNudgeInLoop } from "./nudge-in-loop.ts";
import type { Client } from "./payload.ts";
import type { Prompter } from "./prompter.ts";
import type { TurnRecord } from "./turn-record.ts";

export interface LoopParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly turn: Pick<TurnRecord, "id" | "goesOn">;
  readonly prompter: Prompter;
  readonly isLive: () => boolean;
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  readonly begin: (cause: "nudge" | "host", id?: string) => Promise<void>;
  readonly takeIn: () => Promise<void>;
  /** The turn ends here. */
  readonly settle: () => Promise<Settled>;
}

/** How long a text is waited after before it counts as the last: a call that belongs to it mostly follows at once. */
const CALL_FOLLOWS_MS = 150;

/** One model request of the session. */
interface Step {
  readonly agent: string;
  calls: number;
}

/**
 * Inside the loop of `opencode run` a text that no call follows is the boundary, and a message that lies there afterwards makes the loop
 * continue.
 *
 *     asked --text--> waiting for a call --none--> held until it is decided --nudge--> the nudge lies there --asked--> the next turn
 *                            |                                |                                |
 *                            +------------ a call ------------+--------------------------------+--> the same turn continues
 */
export function createLoopBoundary(session: string, parts: LoopParts) {
  const { turn, prompter, isLive, tell, begin } = parts;
  const inLoop = createNudgeInLoop(parts.client, session);
  const held = createHeldText(pause);
  let step: Step = { agent: "", calls: 0 };

  return {
    prompted: held.prompted,
    isStored: held.stored,
    asked,
    callStarts,
    isCompaction: () => step.agent === "compaction",
    textOver,
    layWords,
    /** The loop is over: nothing is taken back any more. */
    over: (): void => void inLoop.stands(),
  };

  async function asked(agent: string): Promise<void> {
    step = { agent, calls: 0 };
    const standing = inLoop.stands();
    if (standing !== undefined) await begin("nudge", standing);
  }

  async function callStarts(driver: "loop" | "idle"): Promise<void> {
    step.calls++;
    if (inLoop.isThere()) await takeBack();
    else if (driver === "loop" && turn.id() === undefined && isLive()) await goesOn();
  }

  async function textOver(): Promise<void> {
    const own = step;
    if (own.calls > 0 || inLoop.isThere() || turn.id() === undefined || !isLive()) return;
    await pause(CALL_FOLLOWS_MS);
    if (own.calls > 0 || own !== step) return;
    await parts.takeIn();
    if (own.calls > 0 || own !== step) return;
    held.hold();
    const settled = await parts.settle();
    held.release();
    if (settled.type === "words") await layWords(settled.words);
    await held.allStored();
    if (own.calls > 0) return isLive() ? goesOn() : undefined;
    if (settled.type === "nudge") await add(settled.nudge, own);
  }

  async function add(nudge: Nudge, own: Step): Promise<void> {
    await inLoop.add(prompter.lastChoice(), prompter.partOf(nudge));
    if (own.calls > 0) await takeBack(); // a call of the same answer started meanwhile
  }

  async function takeBack(): Promise<void> {
    await Promise.all([inLoop.takeBack(), goesOn()]);
  }

  /** The text was no end: a call of the same answer follows. */
  async function goesOn(): Promise<void> {
    const resumed = turn.goesOn();
    if (!resumed) return;
    const { id, ended } = resumed;
    const reply = await tell({ type: "turn.resume", ended, turn: id, why: "a call followed the text" });
    if (reply.type === "ignored") await begin("host", id);
  }

  /** Words of yours lie in the loop, which continues with them. */
  async function layWords(words: readonly QueuedWords[]): Promise<void> {
    const ids = words.map(({ id }) => id);
    const outcome = await prompter.deliver(words).then(
      () => ({ type: "words.delivered", ids }) as const,
      (error: unknown) => ({ type: "words.failed", ids, message: String(error) }) as const,
    );
    await tell(outcome);
  }

  function pause(ms: number): Promise<void> {
    const { clock } = parts;
    return stayAwake(() => new Promise((done) => void clock.setTimer(clock.now() + ms, done)));
  }
}

export type LoopBoundary = ReturnType<typeof createLoopBoundary>;
