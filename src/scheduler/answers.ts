import type { Outcome } from "../core/call/index.ts";
import type { Approvals } from "./approvals.ts";
import { examine, type Plan } from "./intake.ts";
import { failed, type OpenCalls } from "./open-calls.ts";
import type { Rulebook } from "./rulebook.ts";
import type { ToolBox } from "./tool.ts";
import { shownWording, tooLong, whenWorded } from "./wording.ts";
import type { Stop, Work } from "./work.ts";

/** How the user lets a call continue. */
export type Grant =
  | { readonly type: "once" }
  /** From now on everything this tool does. */
  | { readonly type: "always_tool" }
  /** From now on exactly this. */
  | { readonly type: "always_rule" }
  | { readonly type: "edited"; readonly args: unknown };

/** How a call is denied. */
export interface Refuse {
  /** Told to the model. Without them a denial counts as an interrupt. */
  readonly words?: string;
  /** What becomes of all other calls. */
  readonly rest?: "goes_on" | "stops";
}

/** Whether an answer counted. */
export type Answered =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: keyof typeof UNANSWERED | "bad_arguments" | "denied";
      readonly message: string;
    };

/** An answer that the log holds. */
export interface Learned {
  readonly call: string;
  readonly outcome: Outcome;
  readonly words: string;
  readonly digest?: string;
  /** The command that runs instead, where it was edited. */
  readonly what?: string;
}

/** Why an answer changes nothing. */
export const UNANSWERED = {
  unknown_call: "There is no such call.",
  already_settled: "The call has ended.",
  not_asked: "The call does not wait for an answer.",
  already_answered: "It was answered before; the first answer counts.",
  no_exact_rule: 'What it would do cannot be said exactly, so there is no "always this". Approve it once.',
  only_once: "It asks in the middle of its work: approve it once or deny it.",
} as const satisfies Record<string, string>;

export interface AnswerPorts {
  readonly calls: OpenCalls;
  readonly approvals: Approvals;
  readonly tools: ToolBox;
  readonly rulebook: Rulebook;
  readonly redact: (text: string) => string;
  readonly settle: (work: Work, stop: Stop) => void;
}

/** Turns what the user says into an answer to one open question, or says why it is none. Touches no other call. */
export function createAnswers({ calls, approvals, tools, rulebook, redact, settle }: AnswerPorts) {
  type Found = { readonly ok: true; readonly work: Work; readonly asked: NonNullable<Work["asked"]> };

  function find(call: string): Found | (Answered & { ok: false }) {
    const work = calls.works.get(call);
    if (work === undefined) return unanswered(calls.admission.knows(call) ? "already_settled" : "unknown_call");
    if (work.asked === undefined || !work.asked.isOpen) return unanswered("not_asked");
    if (work.asked.answer !== undefined) return unanswered("already_answered");
    return { ok: true, work, asked: work.asked };
  }

  type Replanned = { readonly ok: true; readonly plan: Plan } | (Answered & { ok: false });

  /** The call with other arguments is judged like any other, and a rule that denies it stands. */
  function replan(work: Work, args: unknown): Replanned {
    const examined = examine({ ...work.request, args }, tools, rulebook.root);
    if (!examined.ok) return { ok: false, code: "bad_arguments", message: examined.message };
    const { decision, because, message } = rulebook.judge(examined.plan);
    if (decision === "deny") return { ok: false, code: "denied", message: message ?? because };
    return { ok: true, plan: examined.plan };
  }

  function edit(work: Work, args: unknown): Answered {
    const replanned = replan(work, args);
    if (!replanned.ok) return replanned;
    const { plan } = replanned;
    const { asked } = work;
    whenWorded(plan, (wording) => {
      if (work.asked !== asked || asked?.answer !== undefined) return; // another answer was faster
      const shown = shownWording(wording, redact);
      if (shown === undefined) settle(work, failed("too_long", tooLong(wording)));
      else approvals.answer(work, { outcome: "edited", words: "", plan, wording: shown });
    });
    return { ok: true };
  }

  /** Another process put another command in its place; the log holds that as the answer, also if it cannot run. */
  function learnEdit(work: Work, command: string | undefined): void {
    const tool = work.plan?.tool;
    if (command === undefined || tool?.withCommand === undefined) return;
    const replanned = replan(work, tool.withCommand(work.plan!.args, command));
    const cannotRun = (why: string) => {
      approvals.learn(work, { outcome: "denied", words: `The user changed the command, but it cannot run: ${why}` });
    };
    if (!replanned.ok) {
      cannotRun(replanned.message);
      return;
    }
    const { plan } = replanned;
    whenWorded(plan, (wording) => {
      const shown = shownWording(wording, redact);
      if (shown === undefined) cannotRun(tooLong(wording));
      else approvals.learn(work, { outcome: "edited", words: "", plan, wording: shown });
    });
  }

  return {
    approve(call: string, grant: Grant = { type: "once" }): Answered {
      const found = find(call);
      if (!found.ok) return found;
      const { work, asked } = found;
      if (asked.reply !== undefined && grant.type !== "once") return unanswered("only_once");
      if (grant.type === "always_rule" && asked.offer === undefined) return unanswered("no_exact_rule");
      if (grant.type === "edited") return edit(work, grant.args);
      approvals.answer(work, { outcome: grant.type, words: "" });
      return { ok: true };
    },
    deny(call: string, { words = "", rest = "goes_on" }: Refuse = {}): Answered {
      const found = find(call);
      if (!found.ok) return found;
      approvals.answer(found.work, { outcome: rest === "stops" ? "stopped" : "denied", words });
      return { ok: true };
    },
    learn({ call, outcome, words, digest, what }: Learned): void {
      const work = calls.works.get(call);
      if (work === undefined) return;
      const asked = work.asked?.approval.digest;
      if (outcome === "edited") learnEdit(work, what);
      // Any other answer names the question that it answers.
      else if (digest === undefined || asked === undefined || digest === asked)
        approvals.learn(work, { outcome, words });
    },
  };
}

const unanswered = (code: keyof typeof UNANSWERED): Answered & { ok: false } => ({
  ok: false,
  code,
  message: UNANSWERED[code],
});
