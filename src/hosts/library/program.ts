import type { HostFact, Nudge, Rechecked } from "../../core/react/index.ts";
import type { Clock } from "../../engine/index.ts";
import { type Asked, ask, type Facts } from "./ask.ts";
import type { TodoContinuationOptions } from "./options.ts";
import { marked } from "./translate.ts";

/** What the program said last of who works, and how. */
interface Standing {
  readonly agent?: string;
  /** Why the agent must not continue. */
  readonly readOnly?: string;
}

/** The program that a session lives in: asked how it stands, and prompted as the agent that worked in it last. */
export function createProgram(session: string, options: TodoContinuationOptions, clock: Clock) {
  let standing: Standing = {};
  return { asked, factsOf, recheck, send, whyReadOnly: () => standing.readOnly };

  function asked(): Promise<Asked> {
    return ask(options, session, clock.now());
  }

  /** Everything is read anew. A program that does not say whether this session may continue says that it may not. */
  async function recheck(): Promise<Rechecked & { status: "ready" }> {
    const now = await asked();
    if (now.status === "stopped") {
      standing = { ...standing, readOnly: now.message };
      return { status: "ready", facts: [{ type: "mode.changed", readOnly: true }] };
    }
    const { facts } = now;
    const aborted = facts.end?.outcome === "aborted" ? [{ type: "human.interrupt", how: "abort" } as const] : [];
    return { status: "ready", facts: [...aborted, ...factsOf(facts)] };
  }

  /** The list first: it may begin a run. */
  function factsOf({ items, background: agents, readOnly, agent }: Facts): readonly HostFact[] {
    standing = { ...(agent !== undefined && { agent }), ...(readOnly !== undefined && { readOnly }) };
    return [
      { type: "todos.mirror", items, by: "model" },
      { type: "mode.changed", readOnly: readOnly !== undefined },
      ...(agents === undefined ? [] : [{ type: "background.changed", agents, awaited: 0 } as const]),
    ];
  }

  async function send({ id, text }: Nudge): Promise<void> {
    await options.injectPrompt?.(session, marked(text, id), standing.agent);
  }
}
