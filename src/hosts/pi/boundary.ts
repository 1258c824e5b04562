import type {
  AgentBeforeSettleEvent,
  BoundaryResult,
  ExtensionContext,
  InputEvent,
} from "@earendil-works/pi-coding-agent";
import { stayAwake } from "../../compose/index.ts";
import { speakerOf } from "../../core/words/index.ts";
import type { Clock, Engine } from "../../engine/index.ts";
import type { PiHost } from "./host.ts";
import type { LimitHeaders } from "./limit-headers.ts";
import { newConversation } from "./new-conversation.ts";
import type { Notices } from "./notices.ts";
import { nudgeMessage, wordsMessage } from "./nudge-message.ts";
import type { Room } from "./room.ts";
import type { SessionRun } from "./session-run.ts";
import { turnEnded } from "./translate.ts";
import type { Turns } from "./turns.ts";
import { namedUnreachable } from "./unreachable.ts";

export interface BoundaryParts {
  readonly ctx: ExtensionContext;
  readonly session: string;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly host: PiHost;
  readonly own: SessionRun;
  readonly turns: Turns;
  readonly notices: Notices;
  readonly room: Room;
  /** Words begin a run of their own: a check judges what they ask for. */
  readonly asksCheck: boolean;
  readonly limits: LimitHeaders;
}

/** Where pi's turns begin and end, and the one place where the run goes on. */
export function createBoundary({
  ctx,
  session,
  engine,
  clock,
  host,
  own,
  turns,
  notices,
  room,
  asksCheck,
  limits,
}: BoundaryParts) {
  /** What went out with the last boundary, and no turn has taken it up yet. */
  let granted: Granted = NOTHING;
  /** Until when words that were typed may still be on their way into pi's queue. */
  let queuedBy = 0;
  let yielded = false;

  return { input, turnStarts, settle, settled };

  /** Your words; what extensions send, ours included, is not yours, and neither is the nudge of a supervisor. */
  async function input({ text, source, streamingBehavior }: InputEvent): Promise<void> {
    const run = own.run();
    if (source === "extension" || (run && speakerOf(run, text) !== "other")) return;
    queuedBy = streamingBehavior === undefined ? 0 : clock.now() + QUEUED_WITHIN_MS;
    if (asksCheck && run?.status !== "live" && !text.startsWith("/")) await own.tell({ type: "goal.set", goal: text });
    await own.tell({ type: "human.spoke" });
  }

  async function turnStarts(): Promise<void> {
    const { words } = granted;
    granted = NOTHING;
    queuedBy = 0;
    host.started();
    const turn = turns.begin();
    if (turn !== undefined) host.brake.over();
    if (words.length > 0) await own.tell({ type: "words.delivered", ids: words });
    if (turn !== undefined) await own.tell({ type: "turn.started", turn });
  }

  /** The answer is an entry and one more request, inside the boundary: pi settles once, however often it goes on. */
  async function settle(event: AgentBeforeSettleEvent): Promise<BoundaryResult | undefined> {
    if (event.context.pendingMessages.length > 0) return undefined; // the turn goes on with them
    if (event.continue) return yieldToOther();
    const facts = turns.end();
    host.brake.over();
    own.turnOver();
    if (!facts || own.run()?.status !== "live") return undefined;
    if (room.isShort()) await room.want();
    const { error } = facts;
    const headers = limits.refused();
    const named =
      error === undefined
        ? {}
        : { error: await namedUnreachable(error, ctx.model?.baseUrl), ...(headers && { headers }) };
    const answer = await engine.settle(session, turnEnded(event.outcome, { ...facts, ...named }, clock.now()));
    const run = own.run();
    if (!run) return undefined;
    if (answer.type === "nudge") {
      granted = { type: "nudge", words: [] };
      const message = nudgeMessage(run.id, answer.nudge);
      return answer.nudge.fresh
        ? { continue: true, entries: [...event.entries, ...newConversation(message)] }
        : goOn(event, [message]);
    }
    if (answer.type === "words") {
      granted = { type: "words", words: answer.words.map(({ id }) => id) };
      return goOn(event, answer.words.map(wordsMessage));
    }
    await untilQueued();
    return undefined;
  }

  /**
   * pi queues typed words after the input handlers of all extensions, however long those take, and tells no extension that it did: only
   * asking shows it. To leave the boundary before would strand them in the queue.
   */
  async function untilQueued(): Promise<void> {
    while (clock.now() < queuedBy && !own.isClosed() && !ctx.hasPendingMessages())
      await stayAwake(() => new Promise<void>((done) => void clock.setTimer(clock.now() + ASK_EVERY_MS, done)));
  }

  function yieldToOther(): undefined {
    if (!yielded && own.run()?.status === "live") notices.show({ type: "text", text: YIELDS });
    yielded = true;
    return undefined;
  }

  /** The run of pi is over. A turn that never came to its boundary was aborted, and so was a nudge that started none. */
  async function settled(): Promise<void> {
    yielded = false;
    const { type, words } = granted;
    granted = NOTHING;
    if (words.length > 0) await own.tell({ type: "words.failed", ids: words, message: NOT_BEGUN });
    if (type === "nudge") {
      notices.show({ type: "text", text: NOT_BEGUN });
      turns.begin();
    }
    const facts = turns.end();
    host.brake.over();
    if (facts) await own.tell(turnEnded("aborted", facts, clock.now()));
  }
}

/** Nothing, a nudge, or queued words by their ids. */
interface Granted {
  readonly type: "nothing" | "nudge" | "words";
  readonly words: readonly string[];
}
const NOTHING: Granted = { type: "nothing", words: [] };

const goOn = (
  { entries }: AgentBeforeSettleEvent,
  messages: readonly { customType: string; content: string; display: boolean; details: unknown }[],
): BoundaryResult => ({
  continue: true,
  entries: [...entries, ...messages.map((message) => ({ type: "custom_message" as const, ...message }))],
});

const ASK_EVERY_MS = 10;
/** Another extension may keep the words to itself: they are never queued then. */
const QUEUED_WITHIN_MS = 5_000;

const YIELDS = "Another extension continues this session; tildone waits until it stops.";
/** pi does not tell which of the two it was; either way you want it to stop. */
const NOT_BEGUN = "A continuation did not begin: an abort or another extension ended the run first.";
