import type { HostFact, Nudge, Rechecked, Trigger } from "../../core/react/index.ts";
import type { QueuedWords, Run } from "../../core/run/index.ts";
import type { Agents } from "./agents.ts";
import type { Driver } from "./capabilities.ts";
import type { LastChoice } from "./last-choice.ts";
import { accepted, type Client, dataOf, type TextPart } from "./payload.ts";
import type { SessionTree } from "./session-tree.ts";
import { itemsOf, nudgePart, wordsPart } from "./translate.ts";

export interface PrompterParts {
  readonly client: Client;
  readonly tree: SessionTree;
  readonly agents: Agents;
  readonly driver: Driver;
  readonly run: () => Run | undefined;
  readonly isBusy: () => boolean;
}

/** Speaks to a session as the agent that answered in it last, and asks how it stands. */
export function createPrompter(session: string, { client, tree, agents, driver, run, isBusy }: PrompterParts) {
  const at = { path: { id: session } };
  let choice: LastChoice = {};
  let readOnly: string | undefined;

  return {
    hears(last: LastChoice): void {
      choice = last;
    },
    lastChoice: () => choice,
    whyReadOnly: () => readOnly,
    facts,
    recheck,
    send,
    deliver,
    partOf,
  };

  /** What may have changed since OpenCode told it. */
  async function facts(others: readonly string[] = []): Promise<readonly HostFact[]> {
    readOnly = await agents.whyNot(choice.agent);
    const below = await tree.busyBelow(session, others);
    return [
      { type: "mode.changed", readOnly: readOnly !== undefined },
      { type: "background.changed", agents: below, awaited: 0 },
    ];
  }

  /** The session may work again, be in another mode, or have another list than it told. */
  async function recheck(): Promise<Rechecked & { status: "ready" | "busy" }> {
    const status = await dataOf(client.session.status(undefined));
    if (session in status) return { status: "busy" };
    const todos = run()?.ledger.list === "native" ? await dataOf(client.session.todo(at)) : [];
    const now = await facts(Object.keys(status));
    if (isBusy()) return { status: "busy" };
    return { status: "ready", facts: todos.length > 0 ? [...now, mirrored(todos)] : now };
  }

  async function send(nudge: Nudge): Promise<void> {
    await accepted(client.session.promptAsync({ ...at, body: { ...choice, parts: [partOf(nudge)] } }));
  }

  async function deliver(words: readonly QueuedWords[]): Promise<void> {
    const body = { ...choice, parts: words.map(({ text }) => wordsPart(text)) };
    await accepted(
      driver === "loop"
        ? client.session.prompt({ ...at, body: { ...body, noReply: true } })
        : client.session.promptAsync({ ...at, body }),
    );
  }

  function partOf(nudge: Nudge): TextPart {
    return nudgePart(run()?.id ?? "", nudge);
  }
}

export type Prompter = ReturnType<typeof createPrompter>;

export const mirrored = (todos: unknown): Trigger & { type: "todos.mirror" } => ({
  type: "todos.mirror",
  items: itemsOf(todos),
  by: "model",
});
