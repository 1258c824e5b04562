import { useState } from "preact/hooks";
import type { AnswerOutcome, InboxItem } from "../serve/index.ts";
import { Always, Deny, Edit } from "./ask-answers.tsx";
import { ago, folderName, sentence, span } from "./format.ts";
import { now } from "./live.ts";
import { pending, send } from "./outbox.ts";
import { Badge, Diff, Link, Typed } from "./parts.tsx";
import { runPath } from "./route.ts";

/** Something that only you can answer: all of it, why it asks, what happens without an answer. */
export function AskCard({ item, showsRun = true }: { item: InboxItem; showsRun?: boolean }) {
  const about = `answer ${item.run} ${item.id}`;
  const isSending = pending.value.has(about);
  const [step, setStep] = useState<"choose" | "always" | "edit" | "deny">("choose");
  const leave = () => setStep("choose");
  const length = item.what?.split("\n").length ?? 0;
  const [isOpen, setOpen] = useState(item.shows === "text" || length <= FOLDED + 4);
  const answer = (outcome: AnswerOutcome, words = "") =>
    send(
      item.run,
      { type: "answer", ask: item.id ?? "", outcome, words },
      `${LABELS[outcome]} ${item.tool ?? ""}`,
      about,
    );
  return (
    <article
      class={`ask card ${isSending ? "is-sending" : ""}`}
      tabIndex={-1}
      aria-label={`${sentence(item.says)} in ${item.goal ?? item.run}`}
    >
      <header class="ask-head">
        <div class="ask-title">
          <h2>{sentence(item.says)}</h2>
          {item.askedAt !== undefined && <span class="muted small num">{ago(item.askedAt, now.value)}</span>}
        </div>
        {showsRun && (
          <p class="small ask-where">
            <Link to={runPath(item.run)}>{item.goal ?? item.run}</Link>
            <span class="muted" title={item.cwd}>
              {item.host} · {folderName(item.cwd)}
            </span>
          </p>
        )}
      </header>
      {item.what !== undefined && <What item={item} isOpen={isOpen} onOpen={() => setOpen(true)} />}
      {item.because !== undefined && <p class="small muted">Why it asks: {item.because}</p>}
      <Otherwise item={item} />
      {item.id === undefined ? (
        <p class="answer-there">
          <Badge tone="attention">Answer there</Badge> {sentence(item.answers[0]?.how ?? "")}.
        </p>
      ) : step === "deny" ? (
        <Deny tool={item.tool ?? "it"} isSending={isSending} onAnswer={answer} onLeave={leave} />
      ) : step === "edit" ? (
        <Edit
          what={item.what ?? ""}
          isSending={isSending}
          onRun={(command) =>
            send(item.run, { type: "edit", ask: item.id ?? "", command }, `Run edited ${item.tool ?? ""}`, about)
          }
          onLeave={leave}
        />
      ) : step === "always" ? (
        <Always item={item} isSending={isSending} onAnswer={answer} onLeave={leave} />
      ) : (
        <div class="actions">
          {/* What was not on the screen is not approved. */}
          {isOpen && (
            <button type="button" class="primary" disabled={isSending} onClick={() => answer("once")}>
              {isSending ? "Sending…" : "Approve"}
            </button>
          )}
          {isOpen && (item.always !== undefined || item.alwaysTool) && (
            <button type="button" disabled={isSending} onClick={() => setStep("always")}>
              Always…
            </button>
          )}
          {item.editable && (
            <button type="button" disabled={isSending} onClick={() => setStep("edit")}>
              Edit…
            </button>
          )}
          <button type="button" class="danger" disabled={isSending} onClick={() => setStep("deny")}>
            Deny…
          </button>
        </div>
      )}
    </article>
  );
}

const LABELS: Readonly<Record<AnswerOutcome, string>> = {
  once: "Approve",
  always_rule: "Always allow",
  always_tool: "Always allow",
  denied: "Deny",
  stopped: "Deny and stop",
};

const FOLDED = 14;
/** What has more lines scrolls in a box of its own, so that the buttons below it stay near. */
const TALL = 80;

interface WhatProps {
  readonly item: InboxItem;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function What({ item: { what = "", shows }, isOpen, onOpen }: WhatProps) {
  const lines = what.split("\n");
  const shown = isOpen ? what : lines.slice(0, FOLDED).join("\n");
  if (shows === "text") return <blockquote class="said-by-agent">{what}</blockquote>;
  return (
    <div class="what">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
      <pre class={`code ${isOpen && lines.length <= TALL ? "" : "is-tall"}`} dir="ltr" tabIndex={0}>
        {shows === "diff" ? <Diff text={shown} /> : <Typed text={shown} />}
      </pre>
      {!isOpen && (
        <button type="button" class="primary" onClick={onOpen}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}

function Otherwise({ item: { endsAt, otherwise } }: { item: InboxItem }) {
  if (endsAt === undefined) return <p class="small muted">{otherwise}</p>;
  const left = endsAt - now.value;
  return (
    <p class={`small ${left < 120_000 ? "t-warn" : "muted"}`}>
      If you do not answer {left > 0 ? `within ${span(left)}` : "now"}: {otherwise[0]?.toLowerCase()}
      {otherwise.slice(1)}
    </p>
  );
}
