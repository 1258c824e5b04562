import type { BoundSession } from "../bound-session.ts";
import { type Said, saidOf } from "./command.ts";

/** The run is over and its list is gone; the log keeps both. */
export async function clearRun(session: BoundSession): Promise<Said> {
  const reply = await session.tell({ type: "human.clear" });
  await session.tell({ type: "todos.write", write: { mode: "replace", todos: [] }, by: "human" });
  return saidOf(reply, "The run is over and its list is cleared.");
}
