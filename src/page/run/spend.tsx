import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { RunPage } from "../../serve/index.ts";
import { amount, money, timeOf } from "../format.ts";
import { now } from "../live.ts";
import { AsTable } from "../parts.tsx";
import { theme } from "../theme.tsx";

/** Tokens and cost over time; the numbers stand in a table behind it. */
export function Spend({ page: { spend, spent, status } }: { page: RunPage }) {
  const box = useRef<HTMLDivElement>(null);
  const newest = spend.at(-1)?.at;
  const hasChart = spend.length > 1 && (newest ?? 0) - (spend[0]?.at ?? 0) >= 1000;
  useEffect(() => {
    const element = box.current;
    if (!element || !hasChart) return;
    const chart = new uPlot(optionsFor(element), dataOf(spend), element);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => chart.redraw();
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      resized.disconnect();
      chart.destroy();
    };
  }, [newest, hasChart, spend.length, theme.value]);
  const step = Math.max(1, Math.ceil(spend.length / 24));
  const shown = spend.filter((_, index) => index % step === 0 || index === spend.length - 1);
  return (
    <section class="panel card" aria-labelledby="spend">
      <h2 id="spend">Tokens and cost</h2>
      {(spent.tokens > 0 || spent.cost > 0) && (
        <p class="spend-sum num">
          <strong>{amount(spent.tokens)}</strong> <span class="muted">tokens</span> <strong>{money(spent.cost)}</strong>
          {spent.estimated > 0 && <span class="small muted"> · {amount(spent.estimated)} estimated</span>}
        </p>
      )}
      {!hasChart ? (
        <p class="small muted">
          {spent.tokens === 0
            ? status === "ended"
              ? "The host reported no tokens."
              : "The host has reported no tokens yet."
            : status === "ended"
              ? "Too short for a chart."
              : "A chart appears with the second answer of the model."}
        </p>
      ) : (
        <>
          <div
            ref={box}
            class="chart"
            role="img"
            aria-label={`Tokens over time, up to ${amount(spent.tokens)}; cost up to ${money(spent.cost)}. The table below has the numbers.`}
          />
          <ul class="legend" aria-hidden="true">
            <li>
              <i class="human" />
              tokens
            </li>
            <li>
              <i class="warn" />
              cost
            </li>
          </ul>
          <AsTable
            head={["When", "Tokens", "Cost"]}
            rows={shown.map(({ at, tokens, cost }) => [timeOf(at, now.value), amount(tokens), money(cost)])}
            isNumbers
          />
        </>
      )}
    </section>
  );
}

const HEIGHT = 160;

const dataOf = (spend: RunPage["spend"]): uPlot.AlignedData => [
  spend.map(({ at }) => at / 1000),
  spend.map(({ tokens }) => tokens),
  spend.map(({ cost }) => cost),
];

function optionsFor(element: HTMLElement): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(element).getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "11px system-ui",
  };
  return {
    ...{ width: element.clientWidth, height: HEIGHT },
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: true },
      tokens: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.08)] },
      cost: { range: (_chart, _low, high) => [0, Math.max(0.0001, high * 1.2)] },
    },
    axes: [
      { ...axis, space: 80, size: 26, values: (_chart, values) => values.map((at) => timeOf(at * 1000, now.value)) },
      { ...axis, scale: "tokens", size: 44, values: (_chart, values) => values.map(short) },
      {
        ...axis,
        scale: "cost",
        side: 1,
        size: 48,
        grid: { show: false },
        values: (_chart, values) => values.map((value) => `$${value < 1 ? value.toFixed(2) : value.toFixed(0)}`),
      },
    ],
    series: [
      {},
      { scale: "tokens", stroke: colour("--accent"), width: 2, points: { show: false } },
      { scale: "cost", stroke: colour("--warn"), width: 2, dash: [5, 4], points: { show: false } },
    ],
  };
}

const short = (value: number): string =>
  value >= 1e6 ? `${+(value / 1e6).toFixed(1)}M` : value >= 1e3 ? `${+(value / 1e3).toFixed(0)}k` : String(value);
