import type { Tildone } from "../../compose/index.ts";
import type { Nudge, Trigger } from "../../core/react/index.ts";
import { type Failure, isNudgeUntaken, isUnderWay, type Run } from "../../core/run/index.ts";
import type { Host } from "../../engine/index.ts";
import { wordsText } from "../../hooks/index.ts";
import { supervised } from "./capabilities.ts";
import type { Program } from "./program.ts";

/** What comes next: another process with this prompt, or nothing any more. */
export type Next =
  /** `fresh`: in a new session, which knows nothing yet. */
  | { readonly type: "prompt"; readonly text: string; readonly fresh: boolean }
  | { readonly type: "over"; readonly run: Run | undefined }
  | { readonly type: "refused"; readonly message: string };

/** How the process before ended, where its hooks could not say it themselves; or that a person continues the run. */
export type LastTurn =
  | { readonly outcome: "completed" }
  | { readonly outcome: "failed"; readonly failure: Failure }
  | { readonly outcome: "resumed"; readonly with: Omit<Trigger & { type: "human.resume" }, "type"> };

export interface Between {
  readonly session: string;
  readonly open: (host: Host) => Promise<Tildone>;
  readonly name: string;
  readonly program: Pick<Program, "adapter" | "spend">;
  readonly signal?: AbortSignal | undefined;
  readonly onWait: (run: Run) => void;
}

/** Takes the run up where the process left it, waits as long as the decision says, and resolves with what comes next. */
export async function betweenProcesses(
  last: LastTurn,
  { session, open, name, program, signal, onWait }: Between,
): Promise<Next> {
  const next = Promise.withResolvers<Next>();
  const given = Promise.withResolvers<Omit<Next & { type: "prompt" }, "type">>();
  const tildone = await open({
    name,
    capabilities: supervised(program),
    nudge: async (_session, nudge: Nudge) => given.resolve({ text: nudge.text, fresh: nudge.fresh === true }),
    deliver: async (_session, words) => given.resolve({ text: wordsText(words), fresh: false }),
    show: () => {},
    endTurn: () => {},
  });
  const { engine } = tildone;
  // The next process begins when it is in the log that it was given its prompt.
  engine.watch((_session, _run, events) => {
    if (events.some(({ event }) => event.type === "nudge.delivered" || event.type === "words.delivered"))
      void given.promise.then((prompt) => next.resolve({ type: "prompt", ...prompt }));
  });
  const settleIfOver = () => {
    const run = engine.run(session);
    if (run?.status !== "live" || run.ledger.decision?.type === "stop") return next.resolve({ type: "over", run });
    const { boundary } = run.ledger;
    if (boundary?.status === "parked" && !boundary.forHuman) queueMicrotask(wake);
    else onWait(run);
  };
  /** A hook of the process that is gone may still write, and parks what it decides: it cannot wait for it. We can. */
  const wake = () => {
    if (!isOver) engine.open(session, { goOn: true });
  };
  let isOver = false;
  const interrupt = () => {
    void engine.tell(session, { type: "human.interrupt", how: "signal" }).then(settleIfOver);
  };
  try {
    const run = engine.run(session);
    signal?.addEventListener("abort", interrupt, { once: true });
    if (run?.status === "live") for (const end of endedWith(run)) await engine.tell(session, end);
    if (last.outcome === "resumed") {
      engine.open(session, { goOn: false }); // its last driver is gone
      if (run && isUnfinished(run)) await engine.tell(session, { type: "turn.ended", ...GONE });
      const reply = await engine.tell(session, { type: "human.resume", ...last.with });
      if (reply.type === "refused") return { type: "refused", message: reply.refusal.message };
    } else if (run && isUnfinished(run)) await engine.tell(session, { type: "turn.ended", ...last });
    else engine.open(session, { goOn: true });
    const unwatch = engine.watch(settleIfOver);
    settleIfOver();
    const answer = await next.promise;
    unwatch();
    return answer;
  } finally {
    isOver = true;
    signal?.removeEventListener("abort", interrupt);
    tildone.dispose();
  }
}

const GONE = {
  outcome: "failed",
  failure: { kind: "host", message: "its process had ended in the middle of a turn" },
} as const;

/** What the process had under way is over with it, although no process was left to say so. */
const endedWith = ({ ledger, ledger: { compacting, background, nudge } }: Run): readonly Trigger[] => [
  ...(nudge && isNudgeUntaken(ledger)
    ? [{ type: "nudge.failed", nudge: nudge.id, message: "it ended before it took the nudge" } as const]
    : []),
  ...(compacting ? [{ type: "compaction.ended" } as const] : []),
  ...(background.agents + background.awaited > 0
    ? [{ type: "background.changed", agents: 0, awaited: 0 } as const]
    : []),
];

/** No stop hook spoke for the last turn: the host failed, was killed, or gave up on our hook. */
const isUnfinished = ({ status, ledger }: Run): boolean => status === "live" && isUnderWay(ledger);
