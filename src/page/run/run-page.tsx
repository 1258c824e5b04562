import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunPage } from "../../serve/index.ts";
import { ask, NotReached } from "../api.ts";
import { AskCard } from "../ask-card.tsx";
import { ago, amount, money, sentence, span, timeOf } from "../format.ts";
import { connection, goneRuns, inboxes, moved, now } from "../live.ts";
import { Badge, Empty, Link, Path, Says } from "../parts.tsx";
import { Actions } from "./actions.tsx";
import { Checks } from "./checks.tsx";
import { Messages } from "./messages.tsx";
import { Spend } from "./spend.tsx";
import { Timeline } from "./timeline.tsx";
import { Todos } from "./todos.tsx";

/** One run: what it wants from you, its list, what proves it, what it used, what happened. */
export function Run({ run }: { run: string }) {
  const [page, setPage] = useState<RunPage>();
  const [problem, setProblem] = useState<string>();
  const isMine = moved.value.run === run || moved.value.run === "";
  const at = isMine ? moved.value.at : undefined;
  const isLive = connection.value.status === "live";
  useEffect(() => {
    let isOver = false;
    ask<RunPage>(`/api/runs/${encodeURIComponent(run)}`).then(
      (found) => {
        if (isOver) return;
        setPage(found);
        setProblem(undefined);
      },
      (error: unknown) => !isOver && !(error instanceof NotReached) && setProblem(String((error as Error).message)),
    );
    return () => {
      isOver = true;
    };
  }, [run, at, isLive]);
  const isGone = goneRuns.value.has(run);
  if (isGone || (problem !== undefined && !page)) {
    return (
      <Empty isPage title={isGone ? "This run is gone" : "No such run"}>
        {isGone ? `Run ${run} was removed while this page was open.` : problem} <Link to="/runs">All runs</Link>
      </Empty>
    );
  }
  if (!page) return <p class="muted loading">Loading…</p>;
  const asks = inboxes.value.get(run) ?? [];
  return (
    <div class="run-page">
      <Head page={page} />
      <Actions page={page} />
      <div class="columns">
        <div class="main-column">
          {asks.map((item, index) => (
            <AskCard key={item.id ?? index} item={item} showsRun={false} />
          ))}
          <Todos page={page} />
          <Messages page={page} />
          <Checks page={page} />
          <section class="panel card" aria-labelledby="timeline">
            <h2 id="timeline">Timeline</h2>
            <Timeline timeline={page.timeline} />
          </section>
          <Decisions page={page} />
          <Log page={page} />
        </div>
        <div class="side-column">
          <Budgets page={page} />
          <Spend page={page} />
          <Facts page={page} />
        </div>
      </div>
    </div>
  );
}

/** In characters: what is longer is read as a paragraph. */
const LONG_GOAL = 120;

function Head({ page: { goal, run, state, row, doubts, uncovered, workflow } }: { page: RunPage }) {
  return (
    <header class="run-head">
      <p class="small">
        <Link to="/runs">Runs</Link> <span class="muted">/</span> <span class="mono muted">{run}</span>
      </p>
      <h1 class={(goal ?? "").length > LONG_GOAL ? "is-long" : undefined}>{goal ?? "No goal was said"}</h1>
      <p class="run-state">
        <Badge tone={row.tone === "good" ? "running" : row.tone}>{sentence(row.label)}</Badge>{" "}
        <span>{row.asks > 0 ? "Your answer is needed below." : <Says text={sentence(state.says)} />}</span>
      </p>
      {workflow !== undefined && <p class="small muted">Workflow: {workflow}</p>}
      {doubts.length > 0 && (
        <ul class="doubts t-suspect small">
          {doubts.map((doubt) => (
            <li key={doubt}>{sentence(doubt)}</li>
          ))}
        </ul>
      )}
      {uncovered.length > 0 && (
        <p class="small t-warn">No todo covers: {uncovered.map(({ id, text }) => `${id} ${text}`).join("; ")}</p>
      )}
    </header>
  );
}

function Budgets({ page: { budgets } }: { page: RunPage }) {
  return (
    <section class="panel card" aria-labelledby="budgets">
      <h2 id="budgets">Budgets</h2>
      {budgets.length === 0 ? (
        <p class="muted small">No budget limits this run.</p>
      ) : (
        <ul class="budgets">
          {budgets.map(({ name, used, limit }) => (
            <li key={name}>
              <span class="budget-line small">
                <span>{sentence(name)}</span>
                <span class="num muted">
                  {budgetAmount(name, used)} of {budgetAmount(name, limit)}
                </span>
              </span>
              <meter
                min={0}
                max={limit}
                high={limit * 0.8}
                optimum={0}
                value={Math.min(used, limit)}
                aria-label={`${name}: ${budgetAmount(name, used)} of ${budgetAmount(name, limit)}`}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const budgetAmount = (name: string, value: number): string =>
  name === "cost" ? money(value) : name === "minutes" ? value.toFixed(1) : amount(value);

function Decisions({ page: { decisions } }: { page: RunPage }) {
  if (decisions.length === 0) return null;
  return (
    <section class="panel card" aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      <ol class="decisions">
        {decisions.slice(0, 12).map(({ at, boundary, type, says, rule }) => (
          <li key={`${at} ${boundary} ${rule}`}>
            <span class="small muted num">{timeOf(at, now.value)}</span>
            <span>
              <strong>{sentence(type)}</strong> · <Says text={says} /> <span class="small muted">({rule})</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Log({ page: { events, hiddenEvents, run } }: { page: RunPage }) {
  return (
    <section class="panel card" aria-labelledby="log">
      <h2 id="log">Log</h2>
      {events.length === 0 ? (
        <p class="small muted">Nothing is recorded yet.</p>
      ) : (
        <details>
          <summary>{events.length === 1 ? "The only event" : `The last ${amount(events.length)} events`}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard */}
          <ol class="log" tabIndex={0}>
            {events.map(({ at, by, text }, index) => (
              <li key={events.length - index}>
                <span class="small muted num">{timeOf(at, now.value)}</span> <span class="small muted">{by}</span>{" "}
                <span>{text}</span>
              </li>
            ))}
          </ol>
          {hiddenEvents > 0 && (
            <p class="small muted">
              {amount(hiddenEvents)} older ones: <code>tildone log {run}</code>
            </p>
          )}
        </details>
      )}
    </section>
  );
}

function Facts({ page: { host, session, cwd, began, spent, now: told, row } }: { page: RunPage }) {
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ["Host", host],
    ["Session", session],
    ...(row.isOfFleet
      ? ([["Repository", <Path key="path" text={row.cwd} />]] as const)
      : ([["Folder", <Path key="path" text={cwd} />]] as const)),
    ["Began", `${timeOf(began, told)}, ${ago(began, now.value)}`],
    ["Active", span(spent.activeMs)],
    ["Told to continue", String(spent.continuations)],
  ];
  return (
    <section class="panel card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="facts small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
