import { speakerOf } from "../../core/words/index.ts";
import { lastChoiceIn } from "./last-choice.ts";
import { type Fields, fieldsOf, textAt } from "./payload.ts";
import type { RootParts } from "./root-run.ts";
import { lastChoiceOf, promptText } from "./translate.ts";

type Cause = "human" | "nudge" | "host" | "unknown";

/** Where a turn of a root session begins, and by whose word: a prompt says so itself; a turn without one is the host's own. */
export function createTurnBegins({ root, activity, turn, watch, prompter, loop }: RootParts) {
  const { tell } = root;
  return { prompted, begin, worked };

  /** Every prompt comes by here, ours included. Own ones are known by their mark, never by time. */
  async function prompted(message: Fields, parts: unknown): Promise<void> {
    prompter.hears(lastChoiceIn(message, fieldsOf(message.model)));
    const id = textAt(message, "id");
    loop().prompted(id ?? "");
    activity.asked();
    const cause = causeOf(parts);
    if (cause === "you") {
      turn.spokenTo();
      await tell({ type: "human.spoke" });
      return begin("human", id);
    }
    // In the loop a nudge begins with the next request, if it stands.
    const isLaid = lastChoiceOf(parts) === "nudge" && root.driver === "loop";
    if (!isLaid) await begin(cause, id);
  }

  function causeOf(parts: unknown): Exclude<Cause, "unknown"> | "you" {
    const choice = lastChoiceOf(parts);
    if (choice === "nudge") return "nudge";
    if (choice !== "human") return choice === "words" ? "human" : "host";
    const run = root.run();
    const speaker = run ? speakerOf(run, promptText(parts)) : "other"; // a supervisor sends nudges and words as prompts
    if (speaker === "other") return "you";
    return speaker === "nudge" ? "nudge" : "human";
  }

  async function begin(cause: Cause, named?: string): Promise<void> {
    const id = turn.begins(named);
    watch.begins();
    await tell({ type: "turn.started", turn: id, ...(cause !== "unknown" && { cause }) });
  }

  /** It works: a turn that was not announced is the host's own, such as a compaction that you asked for. */
  async function worked(): Promise<void> {
    if (activity.works() && turn.id() === undefined && root.isLive()) await begin("unknown");
  }
}
