import type { CheckShown, RunPage } from "../../serve/index.ts";
import { ago, span } from "../format.ts";
import { now } from "../live.ts";
import { Badge } from "../parts.tsx";

/** What proves the run, and what a failing check printed. */
export function Checks({ page: { checks, todos } }: { page: RunPage }) {
  const own = todos.flatMap(({ index, shown }) => shown.map((check) => ({ check, of: `[${index}]` })));
  const all = [...checks.map((check) => ({ check, of: "the run" })), ...own];
  return (
    <section class="panel card" aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      {all.length === 0 ? (
        <p class="muted small">
          No check proves this run. Next time: <code>tildone run "…" --check "npm test"</code>
        </p>
      ) : (
        <ul class="checks">
          {all.map(({ check, of }) => (
            <Check key={check.key} check={check} of={of} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Check({ check, of }: { check: CheckShown; of: string }) {
  const isGood = check.result === "passed" && !check.stale && !check.suspect;
  const tone = isGood
    ? "good"
    : check.suspect
      ? "suspect"
      : check.result === "not run" || check.stale
        ? "idle"
        : check.result === "observed"
          ? "claimed"
          : "bad";
  const facts = [
    `proves ${of}`,
    ...(check.exit ? [`exit ${check.exit}`] : []),
    ...(check.durationMs > 0 ? [span(check.durationMs)] : []),
    ...(check.at !== undefined ? [ago(check.at, now.value)] : []),
    ...(check.judged === "room" ? ["in a clean room"] : []),
    ...(check.stale ? ["the files changed since"] : []),
    ...(check.mayRun ? [] : ["proposed by the agent"]),
    ...(check.doubt === undefined ? [] : [check.doubt]),
  ];
  return (
    <li class="check">
      <p class="check-line">
        <Badge tone={tone}>{check.suspect ? "suspect" : check.result.replace("_", " ")}</Badge>{" "}
        <code>{check.command}</code>
      </p>
      <p class="small muted">{facts.join(" · ")}</p>
      {check.output !== undefined && check.output !== "" && (
        <details open={tone === "bad"}>
          <summary>End of its output</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
          <pre class="code output" tabIndex={0}>
            <code>{check.output}</code>
          </pre>
        </details>
      )}
    </li>
  );
}
