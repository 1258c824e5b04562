import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunPage } from "../../serve/index.ts";
import { sentence, span, timeOf } from "../format.ts";
import { now } from "../live.ts";
import { AsTable } from "../parts.tsx";

type Drawn = RunPage["timeline"];
const LANES = ["turns", "checks", "decisions", "human"] as const;
const NAMES: Readonly<Record<(typeof LANES)[number], string>> = {
  turns: "turns",
  checks: "checks",
  decisions: "decisions",
  human: "you",
};
const [NARROWEST, LEFT, LANE] = [240, 66, 28];

/** What only the colour would tell. */
const MEANS: Readonly<Record<string, string>> = { open: "still running", needs_you: "needs you", failed: "failed" };

/** What happened when, as wide as there is room; the same as a table behind it. */
export function Timeline({ timeline }: { timeline: Drawn }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(NARROWEST);
  const isEmpty = timeline.to <= timeline.from;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const resized = new ResizeObserver(() => setWidth(Math.max(NARROWEST, element.clientWidth)));
    resized.observe(element);
    return () => resized.disconnect();
  }, [isEmpty]);
  if (isEmpty) return <p class="small muted">Nothing happened yet.</p>;
  return (
    <>
      <div ref={box}>
        <Drawing timeline={timeline} width={width} />
      </div>
      <Legend />
      <Events timeline={timeline} />
    </>
  );
}

function Drawing({ timeline: { from, to, spans, marks }, width }: { timeline: Drawn; width: number }) {
  const x = (at: number): number => LEFT + ((at - from) / (to - from)) * (width - LEFT - 10);
  const y = (lane: (typeof LANES)[number]): number => LANES.indexOf(lane) * LANE;
  const height = LANES.length * LANE + 20;
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`What happened within ${span(to - from)}: turns, checks, decisions and what you did. The table below has it as text.`}
    >
      {LANES.map((lane) => (
        <g key={lane}>
          <text x="0" y={y(lane) + 18}>
            {NAMES[lane]}
          </text>
          <line class="lane" x1={LEFT} x2={width} y1={y(lane) + 14} y2={y(lane) + 14} />
        </g>
      ))}
      {spans.map(({ lane, from: at, to: end, end: how, says }, index) => (
        <rect
          key={`${at} ${index}`}
          class={how}
          x={x(at)}
          y={y(lane) + 6}
          width={Math.max(2, x(end) - x(at))}
          height="16"
          rx="3"
        >
          <title>{`${says}, ${span(end - at)}`}</title>
        </rect>
      ))}
      {marks.map(({ lane, at, kind, says }, index) => (
        <circle key={`${at} ${index}`} class={kind} cx={x(at)} cy={y(lane) + 14} r="4.500">
          <title>{`${says}, ${timeOf(at, now.value)}`}</title>
        </circle>
      ))}
      <text x={LEFT} y={height - 4}>
        {timeOf(from, to)}
      </text>
      <text x={width} y={height - 4} text-anchor="end">
        {span(to - from)} later
      </text>
    </svg>
  );
}

const Legend = () => (
  <ul class="legend" aria-hidden="true">
    <li>
      <i class="good" />
      ended well, continued
    </li>
    <li>
      <i class="bad" />
      failed
    </li>
    <li>
      <i class="warn" />
      runs, waits, needs you
    </li>
    <li>
      <i class="dot human" />
      you
    </li>
  </ul>
);

function Events({ timeline: { spans, marks } }: { timeline: Drawn }) {
  const all = [
    ...spans.map(({ lane, from: at, to: end, says, end: how }) => ({
      at,
      lane,
      says: `${says}, ${span(end - at)}`,
      how,
    })),
    ...marks.map(({ lane, at, says, kind }) => ({ at, lane, says, how: kind })),
  ].sort((a, b) => b.at - a.at);
  return (
    <AsTable
      head={["When", "Lane", "What"]}
      rows={all.slice(0, 100).map(({ at, lane, says, how }) => [
        timeOf(at, now.value),
        NAMES[lane],
        <>
          {sentence(says)}
          {MEANS[how] !== undefined && <span class="muted"> ({MEANS[how]})</span>}
        </>,
      ])}
    />
  );
}
