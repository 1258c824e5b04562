import { decide } from "../continuation/index.ts";
import {
  type Actor,
  type Decision,
  evolve,
  type NewEvent,
  problemOf,
  type Run,
  type RunEvent,
  versionOf,
} from "../run/index.ts";
import { type Effect, nothing, type Reaction, type Reply } from "./reaction.ts";
import type { Context } from "./trigger.ts";

/** A reaction in the making: each event is folded at once, so that what follows sees it. */
export class Draft {
  run: Run;
  reply: Reply = nothing;
  readonly context: Context;
  readonly events: NewEvent[] = [];
  readonly effects: Effect[] = [];

  constructor(run: Run, context: Context) {
    this.run = run;
    this.context = context;
  }

  add(by: Actor, event: RunEvent): void {
    const problem = problemOf(event);
    if (problem !== undefined) throw new Error(`not written to the log, because it could not be read back: ${problem}`);
    const from = by === "human" || event.type === "attempt.refused" ? this.context.speaker?.() : undefined;
    const added = { at: this.context.now, by, v: versionOf(event.type), event: from ? { ...event, from } : event };
    this.events.push(added);
    this.run = evolve(this.run, { ...added, seq: 0 });
  }

  perform(effect: Effect): void {
    this.effects.push(effect);
  }

  decide(): Decision {
    return decide(this.run, this.context.limits, this.context.now);
  }

  reaction(): Reaction {
    return { events: this.events, effects: this.effects, reply: this.reply, run: this.run };
  }
}
