import type { Reply, Trigger } from "../../core/react/index.ts";
import { NO_USAGE, type Run, type Usage } from "../../core/run/index.ts";
import type { Clock, TurnEnd } from "../../engine/index.ts";
import { type Fields, textAt } from "./payload.ts";
import { usageOf } from "./translate.ts";

export interface Watched {
  readonly clock: Clock;
  readonly tell: (trigger: Trigger) => Promise<Reply>;
  readonly run: () => Run | undefined;
  /** The turn under way. */
  readonly turn: () => string | undefined;
  /** Resolves when OpenCode took it. */
  readonly abort: () => Promise<void>;
}

const TELL_EVERY_MS = 1_000;
const TELL_EVERY_CHARACTERS = 2_000;
const CHARACTERS_PER_TOKEN = 4;
const ABORT_TAKES_MS = 2_000;

/** What a turn does between its beginning and its end, told as it happens; and how it is ended before its end. */
export function createTurnWatch({ clock, tell, run, turn, abort }: Watched) {
  const running = new Set<string>();
  const told = new Set<string>();
  let before: Usage = NO_USAGE;
  let arriving = { characters: 0, told: 0, toldAt: 0 };
  let ending: string | undefined;
  let abortedAt: number | undefined;
  let aborting: Promise<void> = Promise.resolve();

  return { begins, requested, grew, answered, callBegins, callEnds, end, refusal: () => ending };

  function begins(): void {
    ending = undefined;
    abortedAt = undefined;
    running.clear();
  }

  /** A model request goes out. One that should not is kept back until the turn is aborted. */
  async function requested(): Promise<void> {
    arriving = { characters: 0, told: 0, toldAt: clock.now() };
    running.clear();
    if (ending !== undefined) {
      abortOnce();
      return aborting;
    }
    if (isWatched() && run()?.ledger.turn?.pace.phase !== "model") await growing();
  }

  async function grew(characters: number): Promise<void> {
    arriving.characters += characters;
    const isNews = arriving.characters - arriving.told >= TELL_EVERY_CHARACTERS;
    if (isNews || clock.now() - arriving.toldAt >= TELL_EVERY_MS) await growing();
  }

  async function growing(): Promise<void> {
    arriving = { ...arriving, told: arriving.characters, toldAt: clock.now() };
    if (isWatched()) await tell({ type: "answer.growing", ...named(), usage: estimate() });
  }

  /** An answer came to its end; OpenCode says so twice, and after its calls have run. */
  async function answered(info: Fields): Promise<void> {
    const id = textAt(info, "id") ?? "";
    const isCut = info.error !== undefined;
    if ((info.finish === undefined && !isCut) || told.has(id) || !isWatched()) return;
    told.add(id);
    const usage = usageOf(info);
    const isTold = usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0;
    if (isTold) before = usage;
    await tell({
      type: "answer.seen",
      ...named(),
      usage: isTold ? usage : estimate(),
      ...(!isTold && { estimated: true }),
      ...(isCut ? { cut: true } : info.finish !== "tool-calls" && { calls: 0 }),
      ...(isTold && usage.cost === 0 && { unpriced: true }),
    });
  }

  /** What an answer that is not told of has used: its text, and no less of a request than the one before. */
  function estimate(): Usage {
    return { ...NO_USAGE, input: before.input, output: Math.ceil(arriving.characters / CHARACTERS_PER_TOKEN) };
  }

  async function callBegins(call: string): Promise<void> {
    running.add(call);
    if (isWatched() && run()?.ledger.turn?.pace.phase !== "tools") await tell({ type: "tool.began", ...named() });
  }

  async function callEnds(call: string): Promise<void> {
    if (!running.delete(call)) return;
    if (running.size === 0 && ending !== undefined) abortOnce();
    else if (running.size > 0 && isWatched()) await tell({ type: "tool.began", ...named() }); // others of the same answer
  }

  /** OpenCode waits for the calls that run; what it would ask for after them is not asked for. */
  function end({ how, says }: TurnEnd): void {
    ending = says;
    if (how === "now" || running.size === 0) abortOnce();
  }

  /** OpenCode takes a moment to end; what it still tells meanwhile asks for no second abort. */
  function abortOnce(): void {
    if (abortedAt !== undefined && clock.now() - abortedAt < ABORT_TAKES_MS) return;
    abortedAt = clock.now();
    const long = Promise.withResolvers<void>();
    const timer = clock.setTimer(abortedAt + ABORT_TAKES_MS, long.resolve);
    aborting = Promise.race([abort(), long.promise]).finally(() => timer.cancel());
  }

  function isWatched(): boolean {
    return turn() !== undefined && run()?.status === "live";
  }

  function named(): { readonly turn?: string } {
    const id = turn();
    return id === undefined ? {} : { turn: id };
  }
}

export type TurnWatch = ReturnType<typeof createTurnWatch>;
