import type { Board } from "../serve/index.ts";
import { AskCard } from "./ask-card.tsx";
import { amount, plural } from "./format.ts";
import { inbox, isLoaded, rows } from "./live.ts";
import { Empty, Link, NoRuns } from "./parts.tsx";
import { RunLine } from "./runs.tsx";

type Row = Board["rows"][number];

/** What waits for you, of every run and every host; what ends first stands first. */
export function Inbox() {
  const items = inbox.value;
  const all = [...rows.value.values()].sort((a, b) => b.updated - a.updated);
  const stopped = all.filter(({ group, asks }) => group === "needs_you" && asks === 0);
  const running = all.filter(({ group }) => group === "running");
  if (!isLoaded.value) return <p class="muted loading">Loading…</p>;
  return (
    <>
      <div class="page-head">
        <h1>Inbox</h1>
        {items.length > 0 && <p class="muted">{plural(items.length, "answer")} needed</p>}
      </div>
      {all.length === 0 ? (
        <NoRuns />
      ) : (
        <div class={stopped.length + running.length > 0 ? "columns" : undefined}>
          {items.length === 0 ? (
            <Empty title="Nothing waits for your answer" mark="done">
              Calls that need your approval and questions of agents appear here, from every run.
            </Empty>
          ) : (
            <div class="asks">
              {items.map((item, index) => (
                <AskCard key={`${item.run} ${item.id ?? index}`} item={item} />
              ))}
            </div>
          )}
          {stopped.length + running.length > 0 && (
            <div class="side-column">
              <Aside title="Stopped until you say something" rows={stopped} />
              <Aside title="Running" rows={running} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

const MOST = 6;

function Aside({ title, rows: own }: { title: string; rows: readonly Row[] }) {
  if (own.length === 0) return null;
  return (
    <section class="also">
      <h2>
        {title} <span class="muted num">{amount(own.length)}</span>
      </h2>
      <ul class="run-list card">
        {own.slice(0, MOST).map((row) => (
          <RunLine key={row.run} row={row} />
        ))}
      </ul>
      {own.length > MOST && (
        <p class="small">
          <Link to="/runs">All {amount(own.length)} of them</Link>
        </p>
      )}
    </section>
  );
}
