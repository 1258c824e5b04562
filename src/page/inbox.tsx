import { AskCard } from "./ask-card.tsx";
import { plural } from "./format.ts";
import { inbox, isLoaded, rows } from "./live.ts";
import { Empty, Link } from "./parts.tsx";
import { RunLine } from "./runs.tsx";

/** What waits for you, of every run and every host; what ends first stands first. */
export function Inbox() {
  const items = inbox.value;
  const others = [...rows.value.values()]
    .filter(({ group, asks }) => group === "needs_you" && asks === 0)
    .sort((a, b) => b.updated - a.updated);
  if (!isLoaded.value) return <p class="muted loading">Loading…</p>;
  return (
    <>
      <div class="page-head">
        <h1>Inbox</h1>
        <p class="muted">
          {items.length === 0 ? "Nothing waits for your answer." : `${plural(items.length, "answer")} needed`}
        </p>
      </div>
      {items.length === 0 ? (
        <Empty title="All answered">
          Calls that need your approval and questions of agents appear here, from every run.{" "}
          {rows.value.size === 0 && 'Start a run: tildone run "fix the tests"'}
        </Empty>
      ) : (
        <div class="asks">
          {items.map((item, index) => (
            <AskCard key={`${item.run} ${item.id ?? index}`} item={item} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <section class="also">
          <h2>Stopped until you say something</h2>
          <ul class="run-list card">
            {others.slice(0, 8).map((row) => (
              <RunLine key={row.run} row={row} />
            ))}
          </ul>
          {others.length > 8 && (
            <p>
              <Link to="/runs">All {others.length} of them</Link>
            </p>
          )}
        </section>
      )}
    </>
  );
}
