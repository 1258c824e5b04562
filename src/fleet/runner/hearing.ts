import type { Run } from "../../core/run/index.ts";
import { openRun } from "../../engine/index.ts";
import { FleetError } from "../ledger/index.ts";
import type { AppliedWord, Claimed, Ledger, Word } from "../ports.ts";
import type { LocalLog } from "./local-log.ts";
import { countLost, type Lost } from "./lost-spend.ts";
import { createWords } from "./words.ts";

export interface HearingParts {
  readonly ledger: Pick<Ledger, "holds" | "words">;
  readonly claimed: Claimed;
  readonly lost: Lost | undefined;
  readonly local: LocalLog;
  readonly now: () => number;
  /** A word stands in the log by now, or is refused. */
  readonly applies: (word: AppliedWord) => void;
  /** The run is another one's by now. */
  readonly overtaken: () => void;
  readonly isOver: () => boolean;
}

/** What is said to a run while it is here. It goes into the log as soon as there is one, and before anything leaves. */
export function createHearing({ ledger, claimed, lost, local, now, applies, overtaken, isOver }: HearingParts) {
  const { lease } = claimed;
  const { run: id } = claimed.run;
  const words = createWords(local.store, id, now, claimed.words);
  let open: readonly Word[] = claimed.words;
  /** Where the log ended when something you said was applied while the agent worked; 0: nothing was. */
  let heardAt = 0;
  let isBorn = false;
  return {
    run,
    begin,
    tellOpen,
    tellLast,
    hear,
    hasLooked,
    startOver,
    stillOpen,
    unsaid: () => open.map((each) => each.id),
  };

  /** Undefined: there is no log yet. */
  function run(): Run | undefined {
    return local.last() === 0 ? undefined : openRun(local.store.log, id).run;
  }

  /** As soon as there is a log: what was said before, and what lost turns used, stands in it before anything leaves. */
  function begin(): void {
    if (isBorn || local.last() === 0) return;
    isBorn = true;
    if (lost) countLost(local, id, claimed.rows, lost, now());
    tellOpen();
  }

  function tellOpen(): void {
    applied(words.apply(open));
  }

  /** Also what could not be applied while the agent worked. */
  function tellLast(): void {
    applied(words.applyAll(open));
  }

  /** Something was said to the run, or it is another one's by now. */
  async function hear(): Promise<void> {
    try {
      if (!(await ledger.holds(lease))) return overtaken();
      const all = await ledger.words(id);
      stillOpen(all.filter(({ appliedSeq, refused }) => appliedSeq === undefined && refused === undefined));
      tellOpen();
    } catch (error) {
      if (!isOver() && !(error instanceof FleetError)) throw error; // the next look tries again
    }
  }

  function stillOpen(said: readonly Word[]): void {
    open = said;
  }

  /** The agent begins to work. */
  function startOver(): void {
    heardAt = 0;
  }

  /** Whether the agent decided once more after the last thing you said. */
  function hasLooked(): boolean {
    if (heardAt === 0) return true;
    return local.store.log.read(id, heardAt).events.some(({ event }) => event.type === "decision.made");
  }

  function applied(done: readonly AppliedWord[]): void {
    for (const word of done) {
      applies(word);
      if (word.refused === undefined) heardAt = local.last();
    }
  }
}
