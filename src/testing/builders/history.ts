import { DEFAULTS, type Limits } from "../../core/continuation/index.ts";
import {
  type Birth,
  begin,
  type Context,
  type Effect,
  type Nudge,
  type Reply,
  react,
  type Trigger,
} from "../../core/react/index.ts";
import {
  type Envelope,
  type Failure,
  type Receipt,
  type Run,
  type StoredDecision,
  UNBORN,
} from "../../core/run/index.ts";
import type { EditCommand, TodoInput, WriteMode } from "../../core/todo/index.ts";
import { aFailure } from "./a-run.ts";

type TurnEnd = Trigger & { type: "turn.ended" };

/** A run lived through from its first event: every line goes through the same doors as in the engine. */
export const history = (given: HistoryGiven = {}): History => new History(given);

/** What a history begins with. */
export interface HistoryGiven {
  readonly limits?: Partial<Limits>;
  readonly birth?: Partial<Birth>;
  readonly allowsCheck?: (run: string | readonly string[]) => boolean | "pattern";
  /** The host is asked before a nudge leaves. */
  readonly asksFirst?: boolean;
  readonly renews?: Context["renews"];
  /** Who wakes what a process leaves that lives for one event. */
  readonly waker?: string;
}

/** A run told trigger by trigger, in memory. */
export class History {
  run: Run = UNBORN;
  now = 1_000;
  reply: Reply = { type: "ignored", why: "no_run" };
  readonly limits: Limits;
  readonly envelopes: Envelope[] = [];
  readonly effects: Effect[] = [];
  private readonly given: HistoryGiven;
  private wanted: string | undefined;
  private turns = 0;
  private calls = 0;

  constructor(given: HistoryGiven) {
    this.given = given;
    this.limits = { ...DEFAULTS, ...given.limits };
  }

  tell(trigger: Trigger): this {
    const { allowsCheck, asksFirst, renews, waker } = this.given;
    const context = {
      now: this.now,
      limits: this.limits,
      role: "driver",
      allowsCheck,
      asksFirst,
      ...(renews && { renews }),
      ...(waker !== undefined && { waker }),
    } as const;
    const reaction =
      this.run.status === "unborn" && BIRTH.includes(trigger.type)
        ? begin(this.birth(), this.run, trigger, context)
        : react(this.run, trigger, context);
    this.run = reaction.run;
    this.reply = reaction.reply;
    this.effects.push(...reaction.effects);
    for (const event of reaction.events) this.envelopes.push({ ...event, seq: this.envelopes.length + 1 });
    return this;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  // what you do
  goal(text: string): this {
    this.wanted = text;
    return this.tell({ type: "goal.set" });
  }
  /** You speak and the agent begins a turn. */
  says(): this {
    return this.tell({ type: "human.spoke" }).turn("human");
  }
  holds(): this {
    return this.tell({ type: "human.hold", now: false });
  }
  unholds(): this {
    return this.tell({ type: "human.unhold" });
  }
  interrupts(): this {
    return this.tell({ type: "human.interrupt", how: "key" });
  }
  queues(id: string, kind: "steer" | "follow-up" = "steer"): this {
    return this.tell({ type: "words.queue", words: { id, text: `words ${id}`, kind } });
  }

  // the agent
  turn(cause: "human" | "nudge" | "host"): this {
    return this.tell({ type: "turn.started", turn: `turn-${++this.turns}`, cause });
  }
  writes(...texts: readonly (string | TodoInput)[]): this {
    return this.write("replace", ...texts);
  }
  write(mode: WriteMode, ...texts: readonly (string | TodoInput)[]): this {
    const todos = texts.map((text) => (typeof text === "string" ? { text } : text));
    return this.tell({ type: "todos.write", write: { mode, todos }, by: "model" });
  }
  edits(action: EditCommand["action"], ...indices: readonly number[]): this {
    const reason = action === "block" || action === "abandon" ? { reason: "it cannot go on" } : {};
    return this.tell({ type: "todos.edit", edit: { action, indices, ...reason }, by: "model" });
  }
  starts(...indices: readonly number[]): this {
    return this.edits("start", ...indices);
  }
  completes(...indices: readonly number[]): this {
    return this.edits("complete", ...indices);
  }
  /** A call that was not seen before. */
  works(): this {
    return this.tell({ type: "call.seen", digest: `call-${++this.calls}` });
  }
  ends(end: Partial<TurnEnd> = {}): this {
    return this.tell({ type: "turn.ended", outcome: "completed", ...end });
  }
  asks(text = "Which of the two do you mean?"): this {
    return this.ends({ text });
  }
  fails(kind: Failure["kind"], given: Partial<Failure> = {}): this {
    return this.ends({ outcome: "failed", failure: aFailure(kind, given) });
  }
  aborts(): this {
    return this.ends({ outcome: "aborted" });
  }
  /** The nudge went out and the agent takes it up. */
  nudged(): this {
    const { nudge } = this.run.ledger;
    if (!nudge) throw new Error(`no nudge went out: ${said(this.run.ledger.decision)}`);
    return this.tell({ type: "nudge.delivered", nudge: nudge.id }).turn("nudge");
  }
  /** A whole nudged turn in which `act` happens. */
  goesOn(act: (history: this) => unknown = () => {}): this {
    this.nudged();
    act(this);
    return this.ends();
  }

  /** The round of checks under way ends with these results. */
  checked(...receipts: readonly Receipt[]): this {
    const { verifying } = this.run.ledger;
    if (!verifying) throw new Error("no round of checks is under way");
    return this.tell({ type: "round.ended", round: verifying.round, receipts });
  }

  get nudges(): readonly Nudge[] {
    return this.effects.flatMap((effect) => (effect.type === "nudge.send" ? [effect.nudge] : []));
  }
  /** The last decision in words, and nothing about its numbers. */
  get said(): string {
    return said(this.run.ledger.decision);
  }

  private birth(): Birth {
    return {
      run: "run-1",
      driver: "one",
      origin: { host: "test", session: "s", cwd: "/project" },
      budget: {},
      checks: [],
      requirements: [],
      seesCalls: true,
      goal: this.wanted,
      ...this.given.birth,
    };
  }
}

const BIRTH: readonly Trigger["type"][] = ["todos.write", "goal.set", "workflow.start", "plan.rebase"];

/** `continue todo`, `wait question`, `stop held`: what tables of situations compare. */
export function said(decision: StoredDecision | undefined): string {
  if (!decision) return "nothing";
  return `${decision.type} ${decision.type === "continue" ? decision.kind : decision.reason}`;
}
