import { type Fields, fieldsOf, type HostEvent, textAt } from "./payload.ts";
import type { RootSession } from "./root-session.ts";
import type { SessionTree } from "./session-tree.ts";

interface Places {
  readonly tree: SessionTree;
  readonly root: (session: string) => RootSession;
  readonly forget: (session: string) => Promise<void>;
}

/** Every event to the root session that it concerns: its own as they are, those of a descendant as work or questions below it. */
export function createEventRoute({ tree, root, forget }: Places): (event: HostEvent) => Promise<void> {
  return async ({ type, properties = {} }) => {
    const info = fieldsOf(properties.info);
    if (type === "session.created" || type === "session.updated") {
      const id = textAt(info, "id");
      if (id !== undefined) tree.learn(id, textAt(info, "parentID"));
      return;
    }
    const session = textAt(properties, "sessionID") ?? textAt(info, type === "session.deleted" ? "id" : "sessionID");
    if (session === undefined) return;
    if (type === "session.deleted") return forget(session);
    const isIdle = type === "session.status" && textAt(fieldsOf(properties.status), "type") === "idle";
    if (type === "session.status") tree.setBusy(session, !isIdle);
    const top = await tree.rootOf(session);
    if (isIdle) await root(top).permissions.over(session);
    if (top === session) await toRoot(root(session), type, properties);
    else await fromBelow(root(top), type, properties);
  };
}

async function toRoot(to: RootSession, type: string, properties: Fields): Promise<void> {
  switch (type) {
    case "session.status":
      return textAt(fieldsOf(properties.status), "type") === "idle" ? to.idle() : to.worked();
    case "session.error":
      return to.failed(properties.error);
    case "session.compacted":
      return to.compacted();
    case "message.part.updated":
      to.isStored(textAt(fieldsOf(properties.part), "messageID"));
      return to.partChanged(fieldsOf(properties.part));
    case "message.part.delta":
      return to.grew((textAt(properties, "delta") ?? "").length);
    case "message.updated": {
      const info = fieldsOf(properties.info);
      if (info.role === "assistant") await to.answered(info);
      return;
    }
    default:
      return asked(to, type, properties);
  }
}

/** A descendant works or asks: its root waits. */
async function fromBelow(to: RootSession, type: string, properties: Fields): Promise<void> {
  if (type === "session.status") await to.backgroundChanged();
  else await asked(to, type, properties, "below");
}

async function asked(to: RootSession, type: string, properties: Fields, from?: "below"): Promise<void> {
  const id = textAt(properties, type.endsWith(".asked") ? "id" : "requestID") ?? "";
  switch (type) {
    case "permission.asked":
      if (to.answersPermissions && (await to.permissions.asked(textAt(properties, "sessionID") ?? "", properties)))
        return;
      await to.tell({ type: "question.opened", id, ...questionIn(properties) });
      return;
    case "question.asked":
      await to.tell({ type: "question.opened", id, ...questionIn(properties) });
      return;
    case "permission.replied":
      if (properties.reply === "reject" && !from) to.refused("denied");
      if (!(await to.permissions.replied(id, properties.reply))) await to.tell({ type: "question.closed", id });
      return;
    case "question.rejected":
      if (!from) to.refused("dismissed");
      await to.tell({ type: "question.closed", id });
      return;
    case "question.replied":
      await to.tell({ type: "question.closed", id });
  }
}

/** The words of a question, or what a permission is for. */
function questionIn(properties: Fields): { readonly text?: string } {
  const asked = Array.isArray(properties.questions)
    ? properties.questions.map((one) => textAt(fieldsOf(one), "question"))
    : [];
  const patterns = Array.isArray(properties.patterns)
    ? properties.patterns.filter((one) => typeof one === "string")
    : [];
  const text = [...asked, textAt(properties, "permission"), ...patterns].filter(
    (part) => part !== undefined && part !== "",
  );
  return text.length === 0 ? {} : { text: text.join(" ") };
}
