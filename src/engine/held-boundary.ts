import type { Nudge, Reply, Trigger } from "../core/react/index.ts";
import type { QueuedWords, StoredDecision } from "../core/run/index.ts";

/**
 * How a boundary ended for a host that holds it open. The host that answers with words tells whether they went out, by `words.delivered` or
 * `words.failed`.
 */
export type Settled =
  | { readonly type: "nudge"; readonly nudge: Nudge }
  | { readonly type: "words"; readonly words: readonly QueuedWords[] }
  | { readonly type: "settled"; readonly decision?: StoredDecision };

type TurnEnd = Trigger & { type: "turn.ended" };
type Answer = (settled: Settled) => void;
/** Says whether the host still waited for it. */
export type LastAnswer = (settled: Settled) => boolean;

/** Where the host stands. One that told a second end while we still hold its first is held at both until the second is recorded. */
type AtHost =
  | { readonly status: "free" }
  | { readonly status: "holding"; readonly answer: Answer }
  | { readonly status: "answering"; readonly answer: Answer };
type State = AtHost | { readonly status: "looking"; readonly end: TurnEnd; readonly answer: Answer; before: AtHost };

const FREE: AtHost = { status: "free" };

/**
 * The boundary at which a host waits for our answer.
 *
 *     free --look--> looking --hold--> holding --answering--> answering --the answer--> free
 *                       |                 |                       |
 *                       +-- overtaken     +-- letGo               +-- release
 *                       v                 v                       v
 *                    as before           free                    free
 */
/** `waits`: the host does; one that only says that it went idle is answered, and waits for nothing. */
export function createHeldBoundary(waits: boolean) {
  let state: State = FREE;

  return {
    look,
    isLookedAt,
    hold,
    overtaken,
    answering,
    letGo,
    release,
    isHeld: (): boolean => waits && atHost().status === "holding",
  };

  function atHost(): AtHost {
    return state.status === "looking" ? state.before : state;
  }

  function stand(at: AtHost): void {
    state = state.status === "looking" ? { ...state, before: at } : at;
  }

  /** The agent settled, and we look at what it left. */
  function look(end: TurnEnd, answer: Answer): void {
    state = { status: "looking", end, answer, before: atHost() };
  }

  function isLookedAt(answer: Answer): boolean {
    return state.status === "looking" && state.answer === answer;
  }

  /** Tells the end while the host waits for what follows. An end that was told before or cannot be recorded changes nothing. */
  function hold(answer: Answer, tell: () => Reply): void {
    const before = atHost();
    state = { status: "holding", answer };
    try {
      const reply = tell();
      const isStillHeld = state.status === "holding" && state.answer === answer;
      if (reply.type === "ignored" && (isStillHeld || before.status === "answering")) {
        state = before;
        answer({ type: "settled" });
      } else if (before.status !== "free") before.answer({ type: "settled" }); // overtaken, or let go by what else was new
    } catch (error) {
      state = before;
      throw error;
    }
  }

  /** The next turn begins while we still look: what was looked at is over, and nothing follows from it. */
  function overtaken(): { readonly end: TurnEnd; readonly answer: Answer } | undefined {
    if (state.status !== "looking") return undefined;
    const { end, answer, before } = state;
    state = before;
    return { end, answer };
  }

  /** Something is about to leave as the answer: until it has left, nothing else lets the host go. */
  function answering(): LastAnswer | undefined {
    const held = atHost();
    if (!waits || held.status !== "holding") return undefined;
    const given: AtHost = { status: "answering", answer: held.answer };
    stand(given);
    return (settled) => {
      if (atHost() !== given) return false;
      stand(FREE);
      held.answer(settled);
      return true;
    };
  }

  function letGo(decision?: StoredDecision): void {
    const held = atHost();
    if (held.status !== "holding") return;
    stand(FREE);
    held.answer({ type: "settled", ...(decision && { decision }) });
  }

  /** The session is over, whatever was about to leave. */
  function release(): void {
    const held = atHost();
    stand(FREE);
    if (held.status !== "free") held.answer({ type: "settled" });
  }
}

export type HeldBoundary = ReturnType<typeof createHeldBoundary>;
