import { isUnread, readRow } from "../../core/run/index.ts";
import { type Log, openRun, type Store, speak } from "../../engine/index.ts";
import { StoreError } from "../../store/index.ts";
import type { AppliedWord, Word } from "../ports.ts";
import { readWord, type Saying } from "../read-word.ts";

/**
 * Puts each of your words into the local log, once. What cannot be read or is refused says why, and keeps back no other. `before`: words that
 * were open when the run was taken over.
 */
export function createWords(store: Store, run: string, now: () => number, before: readonly Word[] = []) {
  const seen = new Set<number>();
  const open = new Set(before.map(({ id }) => id));
  const since = store.log.last(run);
  const checked = checkedLog(store.log);
  return {
    /** Gives what was applied by this. Before the run has a log there is nothing to say it to. */
    apply: (words: readonly Word[]) => applyThose(words, (word) => !isEarly(word)),
    /** Also what still waited for its call: the agent is gone, and asks no more. */
    applyAll: (words: readonly Word[]) => applyThose(words, () => true),
  };

  function applyThose(words: readonly Word[], isDue: (word: Word) => boolean): readonly AppliedWord[] {
    if (store.log.last(run) === 0) return [];
    return words.filter(({ id }) => !seen.has(id)).flatMap((word) => (isDue(word) ? [applyOne(word)] : []));
  }

  /** You answered a call that was lost with its machine. The turn is repeated: if it asks for exactly the same, this is the answer. */
  function isEarly(word: Word): boolean {
    if (!open.has(word.id)) return false;
    const call = answeredCall(word);
    if (call === undefined || hasTurnEnded()) return false;
    return !openRun(store.log, run).run.ledger.approvals.some(({ digest }) => digest === call);
  }

  function hasTurnEnded(): boolean {
    return store.log.read(run, since).events.some(({ event }) => event.type === "turn.ended");
  }

  function applyOne(word: Word): AppliedWord {
    seen.add(word.id);
    const refused = say(word);
    return { id: word.id, seq: store.log.last(run), ...(refused !== undefined && { refused }) };
  }

  function say(word: Word): string | undefined {
    const saying = readWord(word);
    if (!saying) return UNREADABLE;
    try {
      return spoken(saying);
    } catch (error) {
      if (error instanceof StoreError) throw error; // the disk, not the word
      // Where it came from may be what cannot be read; what was said counts without it.
      return saying.from === undefined ? UNREADABLE : say({ ...word, from: "null" });
    }
  }

  function spoken({ trigger, from }: Saying): string | undefined {
    const { reply } = speak(checked, run, trigger, now(), from);
    if (reply.type === "refused") return reply.refusal.message;
    return reply.type === "ignored" && reply.why === "run_ended" ? ENDED : undefined;
  }
}

/** The call that it answers, by the digest of what that would do: so it was written down where you said it. */
function answeredCall(word: Word): string | undefined {
  const trigger = readWord(word)?.trigger;
  return trigger?.type === "human.answer" ? trigger.call : undefined;
}

/** Keeps events out of the log that cannot be read back from it: a hold would be lost in silence. */
function checkedLog(log: Log): Log {
  return {
    ...log,
    transact: (run, after, body) =>
      log.transact(run, after, (tail) => {
        const change = body(tail);
        if (
          change.append.some((event) =>
            isUnread(readRow({ seq: 1, ...(JSON.parse(JSON.stringify(event)) as typeof event) })),
          )
        )
          throw new Unfit();
        return change;
      }),
  };
}

class Unfit extends Error {}

const UNREADABLE = "it could not be read";
const ENDED = "the run had just ended";
