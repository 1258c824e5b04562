import { useMemo, useState } from "preact/hooks";
import type { Board } from "../serve/index.ts";
import { ago, amount, folderName, plural, sentence } from "./format.ts";
import { isLoaded, now, rows } from "./live.ts";
import { Badge, Empty, Link, NoRuns, Progress } from "./parts.tsx";
import { runPath } from "./route.ts";

type Row = Board["rows"][number];
type Group = Row["group"];
const GROUPS: Readonly<Record<Group, string>> = { needs_you: "Needs you", running: "Running", stopped: "Stopped" };
const FIRST = 60;

/** All runs: by what they need from you, then by folder. */
export function Runs() {
  const [search, setSearch] = useState("");
  const [only, setOnly] = useState<Group | "all">("all");
  const all = rows.value;
  const found = useMemo(() => matching([...all.values()], search), [all, search]);
  if (!isLoaded.value) return <p class="muted loading">Loading…</p>;
  const showAll = () => {
    setSearch("");
    setOnly("all");
  };
  const count = (group: Group) => found.filter((row) => row.group === group).length;
  return (
    <>
      <div class="page-head">
        <h1>Runs</h1>
        {all.size > 0 && <p class="muted">{howMany([...all.values()])}</p>}
      </div>
      {all.size === 0 ? (
        <NoRuns />
      ) : (
        <>
          <div class="filters">
            <input
              type="search"
              id="search"
              aria-label="Search runs by goal, folder, host or state"
              title="The key / leads here from every page"
              placeholder="Search goal, folder, host…"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
            <fieldset class="chips">
              <legend class="hidden">Which runs</legend>
              {(["all", "needs_you", "running", "stopped"] as const).map((group) => (
                <button key={group} type="button" aria-pressed={only === group} onClick={() => setOnly(group)}>
                  {group === "all" ? "All" : GROUPS[group]}{" "}
                  <span class="num muted">{amount(group === "all" ? found.length : count(group))}</span>
                </button>
              ))}
            </fieldset>
          </div>
          {(only === "all" ? found.length : count(only)) === 0 && (
            <Empty title="No run matches" act={{ label: "Show all runs", press: showAll }}>
              {[
                ...(search.trim() === "" ? [] : [`Nothing has “${search.trim()}” in its goal, folder, host or state.`]),
                ...(only === "all" ? [] : [`“${GROUPS[only]}” is chosen, and no other group is looked at.`]),
              ].join(" ")}
            </Empty>
          )}
          {(Object.keys(GROUPS) as Group[])
            .filter((group) => only === "all" || only === group)
            .map((group) => (
              <GroupOfRuns key={group} group={group} rows={found.filter((row) => row.group === group)} />
            ))}
        </>
      )}
    </>
  );
}

function GroupOfRuns({ group, rows: own }: { group: Group; rows: readonly Row[] }) {
  const [most, setMost] = useState(FIRST);
  if (own.length === 0) return null;
  const folders = Map.groupBy(own.slice(0, most), ({ cwd }) => cwd);
  return (
    <section class="run-group">
      <h2>
        {GROUPS[group]} <span class="muted num">{amount(own.length)}</span>
      </h2>
      {[...folders].map(([cwd, inside]) => (
        <div key={cwd} class="folder">
          <h3 class="muted small mono" title={cwd}>
            {folderName(cwd)}
          </h3>
          <ul class="run-list card">
            {inside.map((row) => (
              <RunLine key={row.run} row={row} hasFolder />
            ))}
          </ul>
        </div>
      ))}
      {own.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + 500)}>
          Show more of the {amount(own.length - most)} others
        </button>
      )}
    </section>
  );
}

export function RunLine({ row, hasFolder = false }: { row: Row; hasFolder?: boolean }) {
  return (
    <li class="run-line">
      <Link to={runPath(row.run)} class="run-link">
        <span class="run-goal">{row.goal ?? "No goal was said"}</span>
        <span class="run-facts muted small">
          <span>{row.host}</span>
          {!hasFolder && <span title={row.cwd}>{folderName(row.cwd)}</span>}
          {hasFolder && <span class="mono">{row.run}</span>}
          {row.isOfFleet && <span>fleet</span>}
          <span class="num">{ago(row.updated, now.value)}</span>
        </span>
      </Link>
      <span class="run-side">
        <Badge tone={row.tone === "good" ? "running" : row.tone}>{sentence(row.label)}</Badge>
        {row.total > 0 && (
          <span class="run-count small num">
            <Progress {...row} />
            {row.done}/{row.total}
          </span>
        )}
      </span>
    </li>
  );
}

function howMany(all: readonly Row[]): string {
  const elsewhere = all.filter(({ isOfFleet }) => isOfFleet).length;
  if (elsewhere === 0) return `${plural(all.length, "run")} on this machine`;
  return `${plural(all.length - elsewhere, "run")} on this machine, ${elsewhere} of the fleet`;
}

function matching(all: readonly Row[], search: string): readonly Row[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return all
    .filter(({ run, goal = "", cwd, host, label, isOfFleet }) => {
      const text = `${run} ${goal} ${cwd} ${host} ${label} ${isOfFleet ? "fleet" : ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => b.asks - a.asks || b.updated - a.updated);
}
