import { useState } from "preact/hooks";
import type { BudgetName, RunPage, Saying } from "../../serve/index.ts";
import { ask } from "../api.ts";
import { outbox, say, send } from "../outbox.ts";
import { Dialog } from "../parts.tsx";

const BUDGETS: readonly (readonly [BudgetName, string])[] = [
  ["continuations", "Continuations"],
  ["tokens", "Tokens"],
  ["minutes", "Minutes"],
  ["cost", "Cost ($)"],
];

/** How a run ended that can still be signed off. */
const SIGNED_LATER: readonly string[] = ["done_unproven", "done_with_doubt"];

/** Todos that are done, doubts, or checks that the agent proposed. */
const hasSomethingToSign = ({ count, doubts, todos }: RunPage): boolean =>
  count.done > 0 || doubts.length > 0 || todos.some(({ shown }) => shown.some(({ mayRun }) => !mayRun));

/** What you can say to the whole run. */
export function Actions({ page }: { page: RunPage }) {
  const [isExtending, setExtending] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const { run, held, status } = page;
  const tell = (saying: Saying, label: string) => send(run, saying, label, `${saying.type} ${run}`);
  const isSending = (type: Saying["type"]) =>
    outbox.value.some((sent) => sent.run === run && sent.saying.type === type);
  const isOver = status === "ended";
  // A run that is over takes no order but to be signed off.
  const canAccept = isOver ? SIGNED_LATER.includes(page.state.word) : hasSomethingToSign(page);
  const canContinue = held || (page.row.group === "needs_you" && page.row.asks === 0 && page.state.actsNext === "you");
  return (
    <div class="toolbar" role="toolbar" aria-label="Steer this run">
      {canContinue && !isOver && (
        <button
          type="button"
          class="primary"
          disabled={isSending("unhold")}
          onClick={() => tell({ type: "unhold", text: "" }, "Continue")}
        >
          {held ? "Unhold" : "Continue"}
        </button>
      )}
      {!held && !isOver && (
        <button
          type="button"
          disabled={isSending("hold")}
          title="The agent finishes what it is doing, and gets no new work"
          onClick={() => tell({ type: "hold", now: false }, "Hold")}
        >
          Hold
        </button>
      )}
      {!isOver && (
        <button type="button" class="danger" onClick={() => setStopping(true)}>
          Hold now…
        </button>
      )}
      {!isOver && (
        <button type="button" title="Raises the budgets" onClick={() => setExtending(true)}>
          Extend…
        </button>
      )}
      {canAccept && (
        <button
          type="button"
          disabled={isSending("accept")}
          title="Signs off what is done, also where no check proves it"
          onClick={() => tell({ type: "accept" }, "Accept")}
        >
          Accept
        </button>
      )}
      <button type="button" onClick={() => void download(run)}>
        Report
      </button>
      {!page.row.isOfFleet && page.todos.some(({ changes }) => changes) && (
        <button
          type="button"
          disabled={isSending("undo")}
          title="Takes back the files of the todo that changed some last"
          onClick={() => tell({ type: "undo" }, "Undo")}
        >
          Undo last
        </button>
      )}
      {!page.row.isOfFleet && page.hasUndone && (
        <button type="button" disabled={isSending("redo")} onClick={() => tell({ type: "redo" }, "Redo")}>
          Redo
        </button>
      )}
      {page.row.isOfFleet && page.row.group !== "stopped" && (
        <button type="button" class="danger" disabled={isSending("cancel")} onClick={() => setCancelling(true)}>
          Cancel…
        </button>
      )}
      {isCancelling && (
        <Dialog title="End this run for good?" onClose={() => setCancelling(false)}>
          <p class="muted">Its worker stops at once, and no other continues it. Its log stays.</p>
          <form method="dialog" class="actions">
            <button type="submit" class="danger" onClick={() => tell({ type: "cancel" }, "Cancel")}>
              Cancel the run
            </button>
            <button type="submit">Back</button>
          </form>
        </Dialog>
      )}
      {isStopping && (
        <Dialog title="End what the agent is doing?" onClose={() => setStopping(false)}>
          <p class="muted">
            Ends the current turn at once, if the host can do that. Files stay as they are. Unhold continues.
          </p>
          <form method="dialog" class="actions">
            <button type="submit" class="danger" onClick={() => tell({ type: "hold", now: true }, "Hold now")}>
              Hold now
            </button>
            <button type="submit">Back</button>
          </form>
        </Dialog>
      )}
      {isExtending && (
        <Dialog title="Raise the budgets" onClose={() => setExtending(false)}>
          <p class="muted">What you type is added. A run that stopped at a limit continues.</p>
          <form
            method="dialog"
            class="extend"
            onSubmit={(event) => {
              const given = BUDGETS.flatMap(([name]) => {
                const value = Number(new FormData(event.currentTarget).get(name));
                return value > 0 ? [[name, value] as const] : [];
              });
              if (given.length > 0) tell({ type: "extend", budget: Object.fromEntries(given) }, "Extend");
            }}
          >
            {BUDGETS.map(([name, label]) => (
              <label key={name}>
                {label}
                <input type="number" name={name} min="0" step={name === "cost" ? "0.01" : "1"} inputMode="decimal" />
              </label>
            ))}
            <div class="actions">
              <button type="submit" class="primary">
                Extend
              </button>
              <button type="button" onClick={(event) => event.currentTarget.closest("dialog")?.close()}>
                Back
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  );
}

async function download(run: string): Promise<void> {
  try {
    const { name, text } = await ask<{ name: string; text: string }>(`/api/runs/${encodeURIComponent(run)}/report`);
    const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    say("info", `Saved ${name} in your downloads.`);
  } catch (error) {
    say("warning", error instanceof Error ? error.message : String(error));
  }
}
