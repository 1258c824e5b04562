import type { Budget } from "../core/run/index.ts";

/** Who does the work of `tildone run`: its own agent, or a host that it starts. */
export interface Worker {
  readonly name: string;
  readonly title: string;
  /** Budgets that cannot be enforced there, because it does not report what they count. */
  readonly untold: readonly (keyof Budget)[];
}

/** `works`, or the sentence that refuses the flag. `{flag}` and `{title}` are filled in. */
type Fit = "works" | `{flag} ${string}`;
interface FlagFits {
  readonly alone: Fit;
  readonly host: Fit | ((worker: Worker) => Fit);
  /** Together with `--resume`. */
  readonly resume: Fit;
}

const EVERYWHERE: FlagFits = { alone: "works", host: "works", resume: "works" };
const OWN_AGENT: FlagFits = {
  alone: "works",
  host: "{flag} is a setting of tildone's own agent, not of {title}. Give {title} its own option with --host-arg.",
  resume: "works",
};
const measured =
  (budget: "tokens" | "cost") =>
  ({ untold }: Worker): Fit =>
    !untold.includes(budget)
      ? "works"
      : `{flag} cannot be enforced in {title}: it does not report what a turn ${UNTOLD[budget]}.`;
const UNTOLD = {
  tokens: "uses. Use --max-minutes instead",
  cost: "costs. Use --max-tokens or --max-minutes instead",
} as const;
const AT_THE_START: FlagFits = {
  alone: "works",
  host: "works",
  resume: "{flag} belongs to the start of a run. Add todos with --todo, or start a new run without --resume.",
};

/** One row per flag of `tildone run`: none is ignored. A flag without a row fails a test. */
export const FLAG_FITS: Readonly<Record<string, FlagFits>> = {
  json: EVERYWHERE,
  model: EVERYWHERE,
  "base-url": OWN_AGENT,
  agent: OWN_AGENT,
  file: AT_THE_START,
  workflow: AT_THE_START,
  report: EVERYWHERE,
  todo: EVERYWHERE,
  check: EVERYWHERE,
  touches: EVERYWHERE,
  approval: OWN_AGENT,
  confine: OWN_AGENT,
  fresh: EVERYWHERE,
  context: EVERYWHERE,
  "context-every": EVERYWHERE,
  "max-continuations": EVERYWHERE,
  "max-todo-continuations": EVERYWHERE,
  "max-tokens": { ...EVERYWHERE, host: measured("tokens") },
  "max-cost": { ...EVERYWHERE, host: measured("cost") },
  "max-minutes": EVERYWHERE,
  "auto-complete-todos": EVERYWHERE,
  resume: EVERYWHERE,
  host: EVERYWHERE,
  "host-arg": { ...EVERYWHERE, alone: "{flag} needs a host to pass it to: name one with --host." },
};

/** Pairs that exclude each other. */
const APART: readonly (readonly [string, string, string])[] = [
  [
    "workflow",
    "file",
    "--workflow and --file are two plans: give one of them. Todos inside a workflow can be given with --todo.",
  ],
  ["fresh", "context", "--fresh is --context fresh: give one of them."],
];

/** Why these flags cannot be used together or with this worker; undefined: each of them has an effect. */
export function misfit(given: readonly string[], worker: Worker | undefined, isResumed: boolean): string | undefined {
  const pair = APART.find(([one, other]) => given.includes(one) && given.includes(other));
  if (pair) return pair[2];
  for (const flag of given) {
    const row = FLAG_FITS[flag];
    if (!row) return `--${flag} is not known here.`;
    const ofHost = worker && (typeof row.host === "function" ? row.host(worker) : row.host);
    const fits = [ofHost ?? row.alone, ...(isResumed ? [row.resume] : [])];
    const refused = fits.find((fit) => fit !== "works");
    if (refused) return refused.replaceAll("{flag}", `--${flag}`).replaceAll("{title}", worker?.title ?? "");
  }
  return undefined;
}
