import type { Approval, CallEvent, Rule } from "../core/call/index.ts";
import type { Clock, Timer } from "../engine/index.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { Recorder } from "./recorder.ts";
import type { Permission } from "./tool.ts";
import type { Wording } from "./wording.ts";
import type { Asked, Given, Work } from "./work.ts";

/** Questions to you. A question is announced when it is in the log; it is answered when its answer is. */
export interface Approvals {
  ask(work: Work, question: NewQuestion): void;
  /** The call ended, or its tool was told to: no answer is needed any more. */
  withdraw(work: Work): void;
  answer(work: Work, given: Given): void;
  /** The log holds this answer already, and whatever was about to be written here comes too late. */
  learn(work: Work, given: Given): void;
  waiting(): readonly Work[];
  dispose(): void;
}

export interface NewQuestion {
  readonly wording: Wording;
  readonly because: string;
  readonly offer?: readonly Rule[] | undefined;
  readonly reply?: (permission: Permission | undefined) => void;
}

export interface ApprovalPorts {
  readonly clock: Clock;
  readonly approvalMs: number;
  readonly recorder: Recorder;
  readonly calls: () => OpenCalls;
  /** What an answer means for the call. `recorded` is false when it could not be written down. */
  readonly decided: (work: Work, asked: Asked, given: Given, recorded: boolean) => void;
  readonly notRecorded: (work: Work, asked: Asked) => void;
}

export function createApprovals({
  clock,
  approvalMs,
  recorder,
  calls,
  decided,
  notRecorded,
}: ApprovalPorts): Approvals {
  /** Without an answer; in the order they were asked, so the first is the first to time out. */
  const open = new Map<string, Work>();
  let timer: (Timer & { readonly at: number }) | undefined;

  function announce(work: Work, asked: Asked, recorded: boolean): void {
    if (work.asked !== asked) return; // the call ended meanwhile, and the log says so
    if (!recorded) {
      work.asked = undefined;
      notRecorded(work, asked);
      return;
    }
    const { approval, answer: early } = asked; // another process saw it in the log and was faster than this line
    asked.isOpen = true;
    if (early === undefined) open.set(approval.call, work);
    arm();
    calls().enter(work, { status: "awaiting_approval", request: work.request, approval });
    if (early !== undefined) close(work, asked, early, true);
  }

  function close(work: Work, asked: Asked, given: Given, recorded: boolean): void {
    if (work.asked !== asked || asked.answer !== given) return; // overtaken by another answer, or by the call's end
    work.asked = undefined;
    decided(work, asked, given, recorded);
  }

  /** One timer for all: the question asked first is the one whose time is up first. */
  function arm(): void {
    const [first] = open.values();
    const at = first?.asked?.approval.endsAt;
    if (at === timer?.at) return;
    timer?.cancel();
    timer = undefined;
    if (at === undefined) return;
    const { cancel } = clock.setTimer(at, () => {
      timer = undefined;
      for (const work of [...open.values()]) {
        const { asked } = work;
        if (asked?.approval.endsAt === undefined || asked.approval.endsAt > clock.now()) break;
        answer(work, { outcome: "timed_out", words: "" });
      }
      arm();
    });
    timer = { at, cancel };
  }

  function give(asked: Asked, given: Given): void {
    asked.answer = given;
    open.delete(asked.approval.call);
    arm();
  }

  function answer(work: Work, given: Given): void {
    const { asked } = work;
    if (asked === undefined) return;
    give(asked, given);
    recorder.record([answered(asked.approval, given)], (recorded) => close(work, asked, given, recorded));
  }

  return {
    ask(work, { wording: { text: what, digest, isCommand, isEditable }, because, offer, reply }) {
      const now = clock.now();
      const always = offer?.map(({ name }) => name).join("; ");
      const approval: Approval = {
        call: work.request.id,
        tool: work.request.tool,
        what,
        digest,
        because,
        askedAt: now,
        endsAt: now + approvalMs,
        ...(isCommand && { shows: "command" as const }),
        ...(always !== undefined && { always }),
        ...(reply && { alwaysTool: false as const }),
        ...(isEditable && { editable: true as const }),
      };
      const asked: Asked = { approval, offer, reply, isOpen: false, answer: undefined };
      work.asked = asked;
      recorder.record([{ type: "approval.requested", approval }], (recorded) => announce(work, asked, recorded));
    },
    withdraw(work) {
      const { asked } = work;
      if (asked === undefined) return;
      work.asked = undefined;
      open.delete(asked.approval.call);
      arm();
      if (asked.answer === undefined) recorder.record([answered(asked.approval, { outcome: "withdrawn", words: "" })]);
      asked.reply?.(undefined);
    },
    answer,
    learn(work, given) {
      const { asked } = work;
      if (asked === undefined) return;
      give(asked, given);
      if (asked.isOpen) close(work, asked, given, true);
    },
    waiting: () => [...open.values()],
    dispose() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

function answered({ call, digest: asked }: Approval, { outcome, words, wording }: Given): CallEvent {
  const digest = wording?.digest ?? asked;
  return {
    type: "approval.answered",
    call,
    outcome,
    words,
    ...(digest !== undefined && { digest }),
    ...(wording && { what: wording.text }),
  };
}
