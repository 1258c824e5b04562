import { computed, signal } from "@preact/signals";
import type { Board, Change, InboxItem } from "../serve/index.ts";
import { ask, headers, NotReached, token } from "./api.ts";

type Row = Board["rows"][number];
type RunChange = Exclude<Change, { type: "fleet" }>;

/** `lost` since when. */
export type Connection =
  | { readonly status: "connecting" | "live" }
  | { readonly status: "lost"; readonly since: number };
export const connection = signal<Connection>({ status: "connecting" });
export const rows = signal<ReadonlyMap<string, Row>>(new Map());
export const inboxes = signal<ReadonlyMap<string, readonly InboxItem[]>>(new Map());
export const isLoaded = signal(false);
/** Undefined: this machine belongs to no fleet. `away`: why its runs are missing or old. */
export const fleet = signal<{ readonly away?: string | undefined } | undefined>(undefined);
/** Moves whenever the run of that name did. */
export const moved = signal<{ readonly run: string; readonly at: number }>({ run: "", at: 0 });
/** Runs that were removed while this page was open. */
export const goneRuns = signal<ReadonlySet<string>>(new Set());

export const inbox = computed<readonly InboxItem[]>(() =>
  [...inboxes.value.values()]
    .flat()
    .sort((a, b) => (a.endsAt ?? Number.MAX_SAFE_INTEGER) - (b.endsAt ?? Number.MAX_SAFE_INTEGER)),
);

/** The time of the server: what is compared with its times. */
const skew = signal(0);
const tick = signal(Date.now());
setInterval(() => {
  tick.value = Date.now();
}, 1000);
export const now = computed(() => tick.value + skew.value);

let last: string | undefined;
const RETRY_MS = [300, 700, 1500, 3000, 5000];
const SILENT_MS = 40_000;

/** Follows the server for as long as there is a token; what was missed comes first after a gap. */
export async function follow(): Promise<void> {
  for (let tries = 0; token.value !== null; ) {
    try {
      if (last === undefined) await load();
      await listen(() => {
        tries = 0;
        connection.value = { status: "live" };
      });
    } catch (error) {
      if (!(error instanceof NotReached || error instanceof TypeError || error instanceof DOMException))
        console.error(error);
    }
    if (token.value === null) return;
    if (connection.value.status !== "lost") connection.value = { status: "lost", since: Date.now() };
    await new Promise((done) => setTimeout(done, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]));
  }
}

async function load(): Promise<void> {
  const board = await ask<Board>("/api/board");
  skew.value = board.now - Date.now();
  const byRun = new Map<string, InboxItem[]>();
  for (const item of board.inbox) byRun.set(item.run, [...(byRun.get(item.run) ?? []), item]);
  rows.value = new Map(board.rows.map((row) => [row.run, row]));
  inboxes.value = byRun;
  fleet.value = board.hasFleet ? { away: board.away } : undefined;
  isLoaded.value = true;
  last = board.last;
  moved.value = { run: "", at: performance.now() };
}

async function listen(isLive: () => void): Promise<void> {
  const given = new AbortController();
  let silence = setTimeout(() => given.abort(), SILENT_MS);
  try {
    const response = await fetch("/api/events", {
      headers: { ...headers(), ...(last !== undefined && { "Last-Event-ID": last }) },
      signal: given.signal,
    });
    if (response.status === 401) return await ask("/api/board"); // says why, and forgets the token
    if (!response.ok || !response.body) throw new NotReached("no stream");
    isLive();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => given.abort(), SILENT_MS);
      text += value;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) if (!(await take(part))) return;
    }
  } finally {
    clearTimeout(silence);
    given.abort();
  }
}

/** False: the position is not known any more, so everything is read anew. */
async function take(part: string): Promise<boolean> {
  const fields = new Map(
    part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  if (fields.get("event") === "reset") {
    last = undefined;
    return false;
  }
  const data = fields.get("data");
  if (data === undefined) return true;
  const change = JSON.parse(data) as Change;
  if (change.type === "fleet") fleet.value = { away: change.away };
  else apply(change);
  last = fields.get("id") ?? last;
  return true;
}

function apply(change: RunChange): void {
  const [all, asks] = [new Map(rows.value), new Map(inboxes.value)];
  const run = change.type === "run" ? change.row.run : change.run;
  asks.delete(run);
  if (change.type === "run") {
    all.set(run, change.row);
    if (change.inbox.length > 0) asks.set(run, change.inbox);
  } else {
    all.delete(run);
    goneRuns.value = new Set([...goneRuns.value, run]);
  }
  rows.value = all;
  inboxes.value = asks;
  moved.value = { run, at: performance.now() };
}
