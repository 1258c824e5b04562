/** A bug to plant: one place in one file, and the promises it may break. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly breaks: readonly string[];
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "counts before it looks",
    file: "src/core/run/events/decision.ts",
    find: "lastNudgeAt: at,",
    replace: "lastNudgeAt: at, since: { ...ledger.since, idle: ledger.since.idle + 1 },",
    breaks: ["4 true reasons"],
  },
  {
    name: "forgets the interrupt when a late event of the aborted turn arrives",
    file: "src/core/run/events/answer.ts",
    find: "  if (!current) return { ...ledger, seen,",
    replace: "  const { interrupt: _gone, ...rest } = ledger;\n  if (!current) return { ...rest, seen,",
    breaks: ["1 interrupted"],
  },
  {
    name: "drops a boundary during the minimum gap",
    file: "src/core/react/consider.ts",
    find: "  expireRound(draft);\n",
    replace:
      "  if (trigger.type === 'turn.ended' && draft.context.now < draft.run.ledger.lastNudgeAt + draft.context.limits.minimumGapMs) return;\n",
    breaks: ["4 decided"],
  },
  {
    name: "nudges twice on a duplicated idle",
    file: "src/core/react/handle-turn.ts",
    find: "return ledger.endedTurns.includes(id) || (ledger.turn && ledger.turn.id !== id && !isAssumed(ledger.turn))",
    replace: "return ledger.turn && ledger.turn.id !== id && !isAssumed(ledger.turn)",
    breaks: ["2 one boundary"],
  },
  {
    name: "begins a wait that nobody ends",
    file: "src/engine/session.ts",
    find: 'else alarm.set({ of: "boundary", id: boundary.id }, boundary.until);',
    replace: 'else if (kind === "countdown") alarm.set({ of: "boundary", id: boundary.id }, boundary.until);',
    breaks: ["4 waits end"],
  },
  {
    name: "does not look again when the countdown ends",
    file: "src/core/react/consider.ts",
    find: "  expireRound(draft);\n",
    replace:
      "  if (trigger.type === 'timer.fired' && boundary.status === 'countdown') return nudge(draft, 'todo');\n  expireRound(draft);\n",
    breaks: ["1 held", "1 interrupted", "1 switched off", "11 words", "3 budget", "3 no progress", "2 one countdown"],
  },
  {
    name: "lets go of a hold when the human speaks",
    file: "src/core/run/events/human.ts",
    find: "    asked: 0,\n    listAsked: false,",
    replace: "    held: false,\n    asked: 0,\n    listAsked: false,",
    breaks: ["1 held"],
  },
  {
    name: "calls words delivered that the host refused",
    file: "src/engine/sender.ts",
    find: 'const failed = (message: string) => outcome({ type: "words.failed", ids, message });',
    replace: 'const failed = (_message: string) => outcome({ type: "words.delivered", ids });',
    breaks: ["11 words"],
  },
  {
    name: "sends words again that are on their way",
    file: "src/core/react/consider.ts",
    find: "const ids = due.filter((id) => !draft.run.ledger.sending.includes(id));",
    replace: "const ids = due;",
    breaks: ["11 words"],
  },
  {
    name: "forgets words that a process took with it",
    file: "src/core/react/handle-human.ts",
    find: '  if (ids.length > 0) draft.add("engine", { type: "words.failed", ids, message, lost: true });\n',
    replace: "",
    breaks: ["11 words", "4 waits end"],
  },
  {
    name: "says words again that stand in the transcript",
    file: "src/core/react/handle-human.ts",
    find: "const reply = wordsDelivered(draft, heard);",
    replace: "const reply = wordsDelivered(draft, []);",
    breaks: ["11 words"],
  },
  {
    name: "hands words to a hook that has no answer to say them in",
    file: "src/engine/session.ts",
    find: 'return isHeld() ? "in the answer" : "not now";',
    replace: 'return "at once";',
    breaks: ["11 words"],
  },
  {
    name: "lets a fold that cannot be kept undo what follows",
    file: "src/engine/recorder.ts",
    find: "  } catch {\n",
    replace: "  } catch (error) {\n    throw error;\n",
    breaks: ["10 no trap", "4 comes to rest", "4 waits end", "4 decided", "7 replay", "2 one countdown"],
  },
  {
    name: "lets a screen that is gone undo what follows",
    file: "src/engine/session.ts",
    find: "    } catch {\n      // The screen is gone; the log has it.\n",
    replace: "    } catch (error) {\n      throw error;\n",
    breaks: ["10 no trap", "4 comes to rest", "4 waits end", "4 decided", "7 replay"],
  },
  {
    name: "parks a hook's wait a transaction later",
    file: "src/core/react/consider.ts",
    find: "      if (!same) park(draft);\n      if (decision",
    replace: "      if (decision",
    breaks: ["4 waits end"],
  },
  {
    name: "lets a process drive whose claim is over",
    file: "src/core/react/react.ts",
    find: 'return role === "driver" && (epoch === undefined || epoch === ledger.claim.epoch);',
    replace: 'return role === "driver" && (epoch === undefined || ledger.claim.epoch > 0);',
    breaks: ["2 one driver", "4 waits end"],
  },
  {
    name: "believes a receipt of files that changed",
    file: "src/core/continuation/finish.ts",
    find: "(receipt.workspace === undefined || receipt.workspace === ledger.workspace)",
    replace: "(receipt.workspace !== ledger.began.toString())",
    breaks: ["6 proof"],
  },
  {
    name: "forgets a nudge that never went out",
    file: "src/core/react/handle-host.ts",
    find: "if (nudge && !wentOut)",
    replace: "if (nudge && !wentOut && claim.epoch < 0)",
    breaks: ["4 comes to rest"],
  },
  {
    name: "leaves without parking",
    file: "src/engine/session.ts",
    find: "      if (host.capabilities.resident) park(boundary.id, carriage.waker);\n",
    replace: "",
    breaks: ["4 waits end"],
  },
  {
    name: "starts a turn where the first word is the human's",
    file: "src/core/react/consider.ts",
    find: "if (boundary.forHuman && !wakes(draft)) return;",
    replace: "",
    breaks: ["1 the human's move"],
  },
  {
    name: "reports a spent budget of a finished run",
    file: "src/core/continuation/rules.ts",
    find: 'rule("finished", (run) => next(run).status === "none" && finish(run)),',
    replace: 'rule("finished", (run) => next(run).status === "none" && !budgetSpent(run.ledger) && finish(run)),',
    breaks: ["6 budget", "6 nothing open"],
  },
  {
    name: "ignores the minimum gap",
    file: "src/core/continuation/rules.ts",
    find: "run.ledger.lastNudgeAt === 0 ? 0 : run.ledger.lastNudgeAt + limits.minimumGapMs - now;",
    replace: "run.ledger.lastNudgeAt + limits.minimumGapMs < 0 ? now : 0;",
    breaks: ["2 minimum gap"],
  },
  {
    name: "takes calls for a new workspace state",
    file: "src/core/run/events/turn.ts",
    find: "still: turn.moved ? 0 : since.still + 1,",
    replace: "still: turn.acted ? 0 : since.still + 1,",
    breaks: ["3 no progress"],
  },
  {
    name: "lets a goal speak in lines of its own",
    file: "src/core/text/text.ts",
    find: 'return withoutControls(text).replace(/\\s+/g, " ").trim();',
    replace: "return text.trim();",
    breaks: ["9 quoted"],
  },
  {
    name: "calls a nudge delivered before the hook has answered",
    file: "src/engine/session.ts",
    find: "if (host.capabilities.resident) unattended.insist(",
    replace: "unattended.insist(",
    breaks: ["2 one nudge"],
  },
  {
    name: "throws in a timer",
    file: "src/engine/unattended.ts",
    find: "      return false;",
    replace: "      throw error;",
    breaks: ["10 no trap"],
  },
  {
    name: "nudges a host that cannot start turns",
    file: "src/core/react/consider.ts",
    find: "if (draft.context.mayNudge !== false && draft.context.now",
    replace: "if (draft.context.now",
    breaks: ["4 who carries it out"],
  },
  {
    name: "remembers what it did not write down",
    file: "src/core/react/draft.ts",
    find: "this.run = evolve(this.run, { ...added, seq: 0 });",
    replace: "this.run = evolve(this.run, { ...added, at: added.at + 1, seq: 0 });",
    breaks: ["7 replay"],
  },
];
