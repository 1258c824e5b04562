import { shrink } from "./shrink.ts";
import { historyText } from "./report.ts";
import { playSeed } from "./simulate.ts";
const [from, to] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 200)];
const t = performance.now();
const by: Record<string, number[]> = {};
for (let seed = from; seed <= to; seed++) {
  const history = await playSeed(seed, "memory");
  if (!history.violation) continue;
  const key = history.violation.invariant;
  (by[key] ??= []).push(seed);
  if (by[key].length === 1 || to === from) {
    console.log(`\n===== seed ${seed}`);
    console.log(historyText(await shrink(history, "memory")));
  }
}
console.log(Object.entries(by).map(([k, v]) => `${k}: ${v.length} (${v.slice(0, 5)})`).join("\n"));
console.log((performance.now() - t).toFixed(0), "ms");
