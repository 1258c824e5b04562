import { useState } from "preact/hooks";
import type { RunPage } from "../../serve/index.ts";
import { send } from "../outbox.ts";
import { Badge } from "../parts.tsx";

/** What you say to the agent, and what of it is still on its way. */
export function Messages({ page: { run, messages, status, row } }: { page: RunPage }) {
  const [text, setText] = useState("");
  const [isLater, setLater] = useState(false);
  return (
    <section class="panel card" aria-labelledby="messages">
      <h2 id="messages">Message the agent</h2>
      {messages.length > 0 && (
        <ul class="messages">
          {messages.map(({ id, text: words, kind }) => (
            <li key={id}>
              <Badge tone="claimed">{kind === "steer" ? "queued" : "at the end"}</Badge> {words}
            </li>
          ))}
        </ul>
      )}
      {status === "ended" ? (
        <p class="small muted">
          {row.isOfFleet ? (
            <>
              This run is over. Its result is the branch <code>tildone/{run}</code>
            </>
          ) : (
            <>
              This run is over. To continue it: <code>tildone run --resume {run}</code>
            </>
          )}
        </p>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === "") return;
            send(run, { type: "say", text: text.trim(), later: isLater }, `Message: ${text.trim()}`);
            setText("");
          }}
        >
          <textarea
            rows={3}
            aria-label="Message to the agent"
            placeholder="Use the new parser, not the old one."
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="actions">
            <button type="submit" class="primary" disabled={text.trim() === ""}>
              Send
            </button>
            <label class="small choice">
              <input type="checkbox" checked={isLater} onChange={(event) => setLater(event.currentTarget.checked)} />{" "}
              only when it is done
            </label>
          </div>
        </form>
      )}
    </section>
  );
}
