import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Nudge } from "../../core/react/index.ts";
import type { QueuedWords } from "../../core/run/index.ts";
import type { Clock, Host } from "../../engine/index.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { Notices } from "./notices.ts";
import { nudgeMessage, wordsMessage } from "./nudge-message.ts";
import { createTurnBrake, type TurnBrake } from "./turn-brake.ts";
import { whileAlive } from "./while-alive.ts";

/** pi answers a send with nothing, and a refusal comes later as an error of the extension: no start within this is one. */
const START_WITHIN_MS = 10_000;

/** What the rest of the adapter tells the host port about, and takes from it. */
export interface PiHost extends Host {
  /** A run of pi began: a wait for one is over. */
  started(): void;
  /** Words in the user's place, for an agent that is idle. */
  say(text: string): Promise<void>;
  readonly brake: TurnBrake;
  /** Settles when the turn began that is being started, or did not; undefined when none is. */
  starting(): Promise<void> | undefined;
}

export interface HostParts {
  readonly clock: () => Clock;
  /** Id of the session's run. */
  readonly runOf: () => string;
  readonly notices: Notices;
  /** The session turned out to be gone. */
  readonly gone: () => void;
}

export function createPiHost(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  { clock, runOf, notices, gone }: HostParts,
): PiHost {
  let waiting: PromiseWithResolvers<void> | undefined;
  const brake = createTurnBrake(ctx);

  return {
    name: "pi",
    capabilities: capabilitiesOf(ctx.mode),
    nudge: (_session, nudge: Nudge) => start(() => pi.sendMessage(nudgeMessage(runOf(), nudge), { triggerTurn: true })),
    // At a boundary pi steers them into the run, and continues with them when our handler has returned.
    deliver: (_session, words) => start(() => words.forEach(send)),
    say: (text) => start(() => pi.sendUserMessage(text)),
    show: (_session, notice) => whileAlive(() => notices.show(notice), gone),
    endTurn: (_session, end) => whileAlive(() => brake.end(end), gone),
    brake,
    started: () => waiting?.resolve(),
    starting: () => waiting?.promise,
  };

  /** As messages with their ids: after a crash the session itself says which words it holds. */
  function send(words: QueuedWords, at: number, all: readonly QueuedWords[]): void {
    pi.sendMessage(wordsMessage(words), { triggerTurn: at === all.length - 1 });
  }

  async function start(begin: () => void): Promise<void> {
    const began = Promise.withResolvers<void>();
    waiting = began;
    const late = clock().setTimer(clock().now() + START_WITHIN_MS, () =>
      began.reject(new Error("pi did not start a turn; it may be busy with something else")),
    );
    try {
      whileAlive(begin, gone);
      await began.promise;
    } finally {
      late.cancel();
      waiting = undefined;
    }
  }
}
