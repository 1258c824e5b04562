import { type Read, readOptions } from "../../test/builders/command-options.ts";

export const HELP = `Plays scripted models on real hosts, with and without tildone. All traffic stays on loopback.

  npm run bench:until-done                 every system, one model of each kind; under 15 minutes on 2 idle cores
  npm run bench:until-done -- --twice      the same, all of it a second time, to see that the verdicts agree
  npm run bench:until-done -- --full       every model on every system; an hour or two
  npm run bench:until-done -- --fresh      tildone's systems with a new conversation for each todo: the verdicts stay
  npm run bench:until-done -- --costs      time and memory; leave the machine alone meanwhile
  npm run bench:until-done -- --plot       plays nothing; writes docs/benchmark.* and the README's table

  --persona <name>     only this model (may be repeated)
  --only <system>      only this system (may be repeated)
  --missing            continue a run that was interrupted
  --transcripts        keep what the model was asked in good cells, too
  --at-once <n>        cells played at the same time (3)
  --longest <seconds>  the longest that one cell may take (180; 900 with --full)
  --quiet <seconds>    how long a process may ask the model nothing before it rests (45; 330 with --full)
  --repeat <n>         with --costs: plays of each system (5)
  --minutes <n>        with --costs: minutes for each system at the most (5)

Results are written to bench/results after every cell. Exit code 0: all as promised. 1: two plays differ, or tildone
broke a promise. 2: it could not begin.`;

const OPTIONS = {
  full: { type: "boolean", default: false },
  missing: { type: "boolean", default: false },
  twice: { type: "boolean", default: false },
  fresh: { type: "boolean", default: false },
  transcripts: { type: "boolean", default: false },
  costs: { type: "boolean", default: false },
  plot: { type: "boolean", default: false },
  persona: { type: "string", multiple: true },
  only: { type: "string", multiple: true },
  "at-once": { type: "string", default: "3" },
  repeat: { type: "string", default: "5" },
  minutes: { type: "string", default: "5" },
  longest: { type: "string" },
  quiet: { type: "string" },
} as const;

const NUMBERS = ["at-once", "repeat", "minutes", "longest", "quiet"] as const;

export type Options = Read<typeof OPTIONS>;

export function optionsOf(args: readonly string[]): Options {
  const read = readOptions(args, { options: OPTIONS });
  if (!read.ok) return read;
  const { values } = read;
  const wrong = NUMBERS.find((name) => values[name] !== undefined && !(Number(values[name]) > 0));
  return wrong ? { ok: false, why: `--${wrong} is a number above 0, not "${values[wrong]}".` } : read;
}
