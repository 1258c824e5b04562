import type { Budget } from "./budget.ts";
import type { Envelope } from "./event.ts";
import { resumed } from "./evolve-resume.ts";
import type { Braked } from "./pace.ts";
import type { Ledger } from "./run.ts";

/** What the human said and did. Holds and interrupts end only as these lines say. */
export function evolveHuman(ledger: Ledger, { event, at }: Envelope): Ledger {
  switch (event.type) {
    case "human.spoke":
      return spoke(ledger);
    case "human.held":
      return { ...ledger, held: true, ...(ledger.turn && { turn: { ...ledger.turn, held: true } }) };
    case "human.unheld":
      return lifted(unheld(ledger), () => true);
    case "human.resumed":
      return lifted(resumed(ledger, event, at), () => true);
    case "human.interrupted":
      return { ...ledger, interrupt: {} };
    case "human.accepted":
      return { ...ledger, accepted: true, ...(ledger.workspace !== undefined && { phaseWorkspace: ledger.workspace }) };
    case "budget.extended":
      return {
        ...lifted(ledger, ({ reason }) => Object.keys(event.budget).some((name) => reason === `budget_${name}`)),
        budget: extended(ledger.budget, event.budget),
        woundDown: false,
        since: { nudged: 0, idle: 0, still: 0 },
      };
    case "words.queued":
      return {
        ...ledger,
        words: [...ledger.words.filter(({ id }) => id !== event.words.id), event.words],
        unsent: NEVER_UNSENT,
      };
    case "words.edited":
      return {
        ...ledger,
        words: ledger.words.map((words) => (words.id === event.id ? { ...words, text: event.text } : words)),
      };
    case "words.removed":
      return { ...withoutSending(ledger, [event.id]), words: ledger.words.filter(({ id }) => id !== event.id) };
    case "words.sent":
      return { ...ledger, sending: [...new Set([...ledger.sending, ...event.ids])] };
    case "words.delivered":
      return {
        ...withoutSending(ledger, event.ids),
        unsent: NEVER_UNSENT,
        words: ledger.words.filter(({ id }) => !event.ids.includes(id)),
      };
    case "words.failed":
      return {
        ...withoutSending(ledger, event.ids),
        unsent: event.lost ? ledger.unsent : { tries: ledger.unsent.tries + 1, at },
        errors: ledger.errors + 1,
      };
    case "continuation.switched":
      return { ...ledger, off: !event.on };
    default:
      return ledger;
  }
}

const NEVER_UNSENT: Ledger["unsent"] = { tries: 0, at: 0 };

const withoutSending = (ledger: Ledger, ids: readonly string[]): Ledger => ({
  ...ledger,
  sending: ledger.sending.filter((id) => !ids.includes(id)),
});

/** The human wants it to go on: what failed is tried again, with all its tries. */
function unheld({ interrupt: _over, boundary, ...ledger }: Ledger): Ledger {
  const { failure: _tried, ...rest } = boundary ?? {};
  return {
    ...ledger,
    held: false,
    ...(ledger.turn && { turn: { ...ledger.turn, held: false } }),
    failures: { tries: 0, windows: 0 },
    unsent: NEVER_UNSENT,
    ...(boundary && { boundary: rest as NonNullable<typeof boundary> }),
  };
}

/** What ended a turn stops nothing any more, where `isMeant` says so. */
function lifted(ledger: Ledger, isMeant: (braked: Braked) => boolean): Ledger {
  const { turn, boundary } = ledger;
  return {
    ...ledger,
    ...(turn?.braked && isMeant(turn.braked) && { turn: { ...turn, braked: { ...turn.braked, lifted: true } } }),
    ...(boundary?.braked &&
      isMeant(boundary.braked) && { boundary: { ...boundary, braked: { ...boundary.braked, lifted: true } } }),
  };
}

/** The boundary is over: the words start a turn of their own, or the one that runs answers them. Budgets are totals and stay. */
function spoke({ boundary: _over, turn, ...ledger }: Ledger): Ledger {
  const { answers: _nudge, ...running } = turn ?? {};
  return {
    ...ledger,
    ...(turn && { turn: running as NonNullable<typeof turn> }),
    since: { nudged: 0, idle: 0, still: 0 },
    asked: 0,
    listAsked: false,
    addedProgress: 0,
    failures: { tries: 0, windows: 0 },
  };
}

/** What is not limited stays so: more of the unlimited is no limit. */
function extended(budget: Budget, more: Budget): Budget {
  const names = (Object.keys(more) as (keyof Budget)[]).filter((name) => budget[name] !== undefined);
  return { ...budget, ...Object.fromEntries(names.map((name) => [name, (budget[name] ?? 0) + (more[name] ?? 0)])) };
}
