import { duration, moment } from "./amounts.ts";
import type { Mark, Span, Timeline } from "./timeline.ts";

/** Text in which nothing means anything to HTML, inside an element or an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'`\p{Cc}]/gu, (mark) => ESCAPES[mark] ?? (mark === "\n" || mark === "\t" ? mark : "�"));
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

const WIDTH = 720;
const LEFT = 70;
const LANE = 26;
const LANES = ["turns", "checks", "decisions", "human"] as const;
/** Bars for turns and checks, dots for decisions and what the user did; each says what it is when pointed at. */
export function drawTimeline({ from, to, spans, marks }: Timeline): string {
  if (to <= from) return "";
  const x = (at: number): number => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - 10);
  const height = LANES.length * LANE + 24;
  const lanes = LANES.map(
    (lane, row) =>
      `<text x="0" y="${row * LANE + 17}">${lane === "human" ? "you" : lane}</text><line x1="${LEFT}" x2="${WIDTH}" y1="${row * LANE + 13}" y2="${row * LANE + 13}" class="lane"/>`,
  );
  const foot = `<text x="${LEFT}" y="${height - 6}">${moment(from)} UTC</text><text x="${WIDTH}" y="${height - 6}" text-anchor="end">${duration(to - from)} later</text>`;
  return `<div class="scroll" tabindex="0"><svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What happened when">
${[...lanes, ...spans.map((span) => bar(span, x)), ...marks.map((mark) => dot(mark, x)), foot].join("\n")}
</svg></div>
${LEGEND}`;
}

const LEGEND = `<ul class="legend"><li><i class="good"></i>ended well, continued</li><li><i class="bad"></i>failed</li><li><i class="warn"></i>runs, waits, needs you</li><li><i class="dot human"></i>you</li></ul>`;

function bar({ lane, from, to, end, says }: Span, x: (at: number) => number): string {
  const y = LANES.indexOf(lane) * LANE + 6;
  const width = Math.max(1.5, x(to) - x(from));
  return `<rect x="${x(from).toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="14" rx="2" class="${end}"><title>${escaped(`${says}, ${duration(to - from)}`)}</title></rect>`;
}

function dot({ lane, at, kind, says }: Mark, x: (at: number) => number): string {
  const y = LANES.indexOf(lane) * LANE + 13;
  return `<circle cx="${x(at).toFixed(1)}" cy="${y}" r="4" class="${kind}"><title>${escaped(`${says}, ${moment(at)}`)}</title></circle>`;
}
