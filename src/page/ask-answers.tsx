import { useState } from "preact/hooks";
import type { AnswerOutcome, InboxItem } from "../serve/index.ts";
import { Typed } from "./parts.tsx";

/** What would not be asked about again stands beside each choice: a grant is never one click away. */
export function Always({
  item: { tool = "this tool", always, alwaysTool },
  isSending,
  onAnswer,
  onLeave,
}: {
  item: InboxItem;
  isSending: boolean;
  onAnswer: (outcome: AnswerOutcome) => void;
  onLeave: () => void;
}) {
  return (
    <fieldset class="always" onKeyDown={(event) => event.key === "Escape" && onLeave()}>
      <legend class="small">Approve, and do not ask again in this run about</legend>
      {always !== undefined && (
        <button type="button" class="grant" disabled={isSending} onClick={() => onAnswer("always_rule")}>
          <b>Exactly this</b>
          <Typed text={always} />
        </button>
      )}
      {alwaysTool && (
        <button type="button" class="grant" disabled={isSending} onClick={() => onAnswer("always_tool")}>
          <b>Everything {tool} does</b>
          <span class="muted">also commands and files that you have not seen; what a rule denies stays denied</span>
        </button>
      )}
      <div class="actions">
        <button type="button" disabled={isSending} ref={(element) => element?.focus()} onClick={onLeave}>
          Back
        </button>
      </div>
    </fieldset>
  );
}

export function Edit({
  what,
  isSending,
  onRun,
  onLeave,
}: {
  what: string;
  isSending: boolean;
  onRun: (command: string) => void;
  onLeave: () => void;
}) {
  const [command, setCommand] = useState(what);
  const isSame = command === what || command.trim() === "";
  return (
    <form
      class="deny"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(command);
      }}
    >
      <label>
        The command that runs instead
        <textarea
          class="code"
          dir="ltr"
          rows={Math.min(12, what.split("\n").length + 1)}
          spellcheck={false}
          value={command}
          ref={(element) => element?.focus()}
          onInput={(event) => setCommand(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onLeave();
          }}
        />
      </label>
      <p class="small muted">It runs once. The log keeps both commands.</p>
      <div class="actions">
        <button type="submit" class="primary" disabled={isSending || isSame}>
          {isSending ? "Sending…" : "Run this instead"}
        </button>
        <button type="button" disabled={isSending} onClick={onLeave}>
          Back
        </button>
      </div>
    </form>
  );
}

export function Deny({
  tool,
  isSending,
  onAnswer,
  onLeave,
}: {
  tool: string;
  isSending: boolean;
  onAnswer: (outcome: AnswerOutcome, words: string) => void;
  onLeave: () => void;
}) {
  const [words, setWords] = useState("");
  return (
    <form
      class="deny"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer("denied", words);
      }}
    >
      <label>
        What should the agent do instead?
        <textarea
          rows={2}
          value={words}
          ref={(element) => element?.focus()}
          placeholder="Do not push; open a pull request."
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onLeave();
          }}
        />
      </label>
      <p class="small muted">
        {words.trim() === ""
          ? "Without a message the run stops until you continue it."
          : "The agent reads this and continues."}
      </p>
      <div class="actions">
        <button type="submit" class="danger" disabled={isSending}>
          {words.trim() === "" ? `Deny ${tool} and stop` : `Deny ${tool} and continue`}
        </button>
        <button type="button" disabled={isSending} onClick={onLeave}>
          Back
        </button>
      </div>
    </form>
  );
}
