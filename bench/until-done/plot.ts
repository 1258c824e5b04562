import type { Results } from "./results.ts";
import { type Total, totalsOf } from "./totals.ts";
import type { Verdict } from "./verdict.ts";

const BAR = 11;
const ROW = 2 * BAR + 10;
const LEFT = 230;
const WIDTH = 480;
const KEYS = 5;
const COLOURS: readonly (readonly [Verdict, string])[] = [
  ["good", "#2da44e"],
  ["unfinished", "#d4a72c"],
  ["false alarm", "#bf8700"],
  ["no word", "#57606a"],
  ["nudged needlessly", "#a475f9"],
  ["asked too often", "#6639ba"],
  ["false claim", "#cf222e"],
  ["never stopped", "#82071e"],
  ["no end", "#8c959f"],
];

/** Two bars a system, by what you see and by its exit code: how many cells are good, and what is wrong with the others. */
export function plot(results: Results): string {
  const seen = totalsOf(results, "person").filter(({ ran }) => ran > 0);
  const exits = totalsOf(results, "process").filter(({ ran }) => ran > 0);
  const used = COLOURS.filter(([verdict]) => [...seen, ...exits].some((total) => countOf(total, verdict) > 0));
  const below = seen.length * ROW + 14;
  const height = below + 40 + Math.ceil(used.length / KEYS) * 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 60} ${height}" font-family="sans-serif" font-size="13">
<title>Good cells of each system, and what is wrong with the others</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${LEFT}" y="14" fill="#57606a" font-size="11">upper bar: by what you see, lower bar: by its exit code</text>
${seen.map((total, at) => both(total, exits[at]!, 22 + at * ROW)).join("\n")}
${used.map(([verdict, colour], at) => key(verdict, colour, 12 + (at % KEYS) * 150, below + 36 + Math.floor(at / KEYS) * 20)).join("\n")}
</svg>
`;
}

const countOf = (total: Total, verdict: Verdict): number =>
  verdict === "good" ? total.good : (total.faults[verdict] ?? 0);

function both(seen: Total, exits: Total, y: number): string {
  return [
    `<text x="${LEFT - 8}" y="${y + BAR + 4}" text-anchor="end" fill="#1f2328">${seen.system}</text>`,
    bar(seen, y),
    bar(exits, y + BAR + 1),
  ].join("");
}

function bar(total: Total, y: number): string {
  let x = LEFT;
  const parts = COLOURS.flatMap(([verdict, colour]) => {
    const width = Math.round((countOf(total, verdict) / total.ran) * WIDTH);
    const part = `<rect x="${x}" y="${y}" width="${width}" height="${BAR}" fill="${colour}"><title>${verdict}: ${countOf(total, verdict)}</title></rect>`;
    x += width;
    return width > 0 ? [part] : [];
  });
  return [
    ...parts,
    `<text x="${LEFT + WIDTH + 8}" y="${y + 10}" fill="#1f2328" font-size="11">${total.good}/${total.ran}</text>`,
  ].join("");
}

const key = (verdict: string, colour: string, x: number, y: number): string =>
  `<rect x="${x}" y="${y - 10}" width="11" height="11" fill="${colour}"/><text x="${x + 16}" y="${y}" fill="#1f2328">${verdict}</text>`;
