import { commandOptions } from "../builders/command-options.ts";
import { playHistory } from "./history.ts";
import { killOnce, timeOnce } from "./kill.ts";
import { removeTemplates } from "./world.ts";

const HELP = `Plays random histories of work, your edits, undo and redo, and says of each that goes wrong which it was.

  npm run test:undo -- --count 10000   so many histories (1000)
  npm run test:undo -- --kill 200      kills the process that undoes at so many random moments

  --seed <n>   the first one (1)

It exits with 1 where one went wrong.`;

const text = { type: "string" } as const;
const values = commandOptions({
  help: HELP,
  options: { count: text, kill: text, seed: text },
  whole: ["count", "kill", "seed"],
});
const [count, first] = [Number(values.kill ?? values.count ?? 1000), Number(values.seed ?? 1)];
// How long an undo takes here, from its beginning to its end: it is killed somewhere within.
const longest = values.kill === undefined ? 0 : await timeOnce();
const play = values.kill === undefined ? playHistory : (seed: number) => killOnce(seed, longest);
const outcomes = new Map<string, number>();
let failures = 0;
const began = Date.now();
for (let seed = first; seed < first + count && failures < 20; seed++) {
  try {
    const outcome = await play(seed);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  } catch (error) {
    failures++;
    console.error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const played = seed - first + 1;
  if (played % 250 === 0 && played < count)
    console.error(`${played} of ${count}, ${failures} failed, ${Math.round((Date.now() - began) / 1000)} s`);
}
removeTemplates();
const counted = [...outcomes].map(([name, times]) => `${times} ${name}`).join(", ");
console.log(`${count} in ${Math.round((Date.now() - began) / 1000)} s: ${counted}, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
