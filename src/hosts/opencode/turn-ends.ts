import { stayAwake } from "../../compose/index.ts";
import type { HostFact } from "../../core/react/index.ts";
import type { Run } from "../../core/run/index.ts";
import type { Settled } from "../../engine/index.ts";
import type { RootParts } from "./root-run.ts";
import { endOf, type TurnOver } from "./turn-over.ts";

/** Long enough to write down how a turn ended; what is waited for after it is not. */
const RECORDING_MS = 1000;

/**
 * Where a turn of a root session ends.
 *
 *     at work --idle--> settling --what may have changed, then the end are told--> at rest --idle again--> interrupted
 */
export function createTurnEnds({ root, activity, turn, prompter, loop }: RootParts) {
  const { driver, clock, run, tell, isLive } = root;
  let settling: Promise<unknown> = Promise.resolve();
  return { idle, finished, takeIn, settle: () => settle(turn.leave()) };

  async function idle(): Promise<void> {
    const before = activity.idle();
    if (before === "idle") return idleAgain();
    if (before !== "busy") return;
    loop().over();
    const over = turn.leave(); // at once: the next prompt may come while we look
    turn.settled();
    if (!isLive()) return root.prelude.over();
    settling = finish(over);
    await settling;
  }

  async function finish(over: TurnOver): Promise<void> {
    if (over.refusal) await tell({ type: "human.interrupt", how: over.refusal });
    if (over.turn !== undefined) {
      await takeIn();
      const settled = await settle(over);
      if (driver === "loop" && settled.type === "nudge") root.say(cutShort(root.session));
      if (settled.type === "words") await loop().layWords(settled.words);
    } else if (over.trouble?.type === "aborted") await tell({ type: "human.interrupt", how: "abort" });
  }

  /** Idle without having worked: the idle session was aborted. */
  async function idleAgain(): Promise<void> {
    await settling;
    const { boundary, interrupt } = run()?.ledger ?? {};
    // Also where nothing is about to be sent: what you say next is not to set it off.
    const isNews = boundary !== undefined && boundary.status !== "nudged" && interrupt === undefined;
    if (isNews && isLive()) await tell({ type: "human.interrupt", how: "abort" });
  }

  function settle(over: TurnOver): Promise<Settled> {
    return root.engine.settle(root.session, endOf(over));
  }

  /** What may have changed since it was asked last; told only where it did. */
  async function takeIn(): Promise<void> {
    for (const fact of await prompter.facts()) if (isNews(fact, run())) await tell(fact);
  }

  /** `opencode run` ends with its first idle, and waits for us to write down what that turn came to. */
  async function finished(): Promise<void> {
    const long = Promise.withResolvers<void>();
    const timer = clock.setTimer(clock.now() + RECORDING_MS, long.resolve);
    await stayAwake(() => Promise.race([settling, long.promise]));
    timer.cancel();
  }
}

/** Every trigger is a write to the log: what the run knows is not told again. */
function isNews(fact: HostFact, run: Run | undefined): boolean {
  if (fact.type === "mode.changed") return fact.readOnly !== run?.ledger.readOnly;
  return fact.type !== "background.changed" || fact.agents !== run?.ledger.background.agents;
}

/** No hook of OpenCode's is called for an answer without words, and nothing that is sent after it is taken up. */
const cutShort = (session: string): string =>
  [
    "OpenCode ends after an answer without text, and todos remain.",
    `\`opencode run --session ${session} --command unhold\` continues; \`tildone run --host opencode\` does so by itself.`,
  ].join(" ");
