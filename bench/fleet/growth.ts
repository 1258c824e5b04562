import pg from "pg";
import { APPLICATION, FLEET_VERSION } from "../../src/fleet/dbos.ts";
import {
  dbosSchemaOf,
  initFleet,
  type Lease,
  type Ledger,
  loadDbos,
  openLedger,
  openMirror,
} from "../../src/fleet/index.ts";
import { stopsAfterEachItem } from "../../test/e2e/pi/models.ts";
import { aSubmission } from "../../test/fleet/ledgers.ts";
import { measure, type Row } from "../harness.ts";
import { CARD, rowsOfTurn } from "./a-turn.ts";
import { openBuiltWorld } from "./built-world.ts";
import { copyFinished } from "./finished-runs.ts";
import type { Part } from "./part.ts";

/** Todos of the run that is copied: about 100 events. */
const ITEMS = 5;
/** Runs that are not over, in each of the databases. */
const OPEN = 20;
const FEW = 10;
/** A list shows so many. */
const LISTED = 1_000;
const DAY_MS = 86_400_000;

/** What is asked all the time, with many runs that are over beside a few. */
export const growth: Part = async ({ finished }) => {
  await using world = await openBuiltWorld();
  world.model.play(stopsAfterEachItem(ITEMS));
  const machine = world.workBuilt("one");
  await world.started([machine]);
  const run = await world.submit();
  await world.until("its branch", () => machine.lines.some(({ type }) => type === "run.published"));
  machine.signal("SIGTERM", "worker");
  await machine.exited;

  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  await client.query(
    `INSERT INTO tildone.inbox (run, key, trigger, said_from, applied_seq)
     SELECT $1, key, '{"type":"human.spoke"}', '{"via":"terminal"}', 5 FROM unnest('{a,b}'::text[]) AS key`,
    [run],
  );
  const sizes = [...new Set([FEW, Math.min(LISTED, finished), finished])];
  const tenants: Tenant[] = [];
  try {
    for (const size of sizes) {
      const schema = `with_${size}`;
      await initFleet({ url: world.url, schema });
      await copyFinished(client, { schema: "tildone", run }, schema, size);
      tenants.push(await openTenant(world.url, schema));
    }
    await client.query("ANALYZE");
    const [few, ...rest] = tenants;
    const results = await measure(
      rest.flatMap((tenant, index) => rowsOf(few!, tenant, sizes[index + 1]!)),
      3,
    );
    const all = rest.at(-1)!;
    const listed = await measure([
      {
        name: `${finished}: tildone status, beside ${LISTED}`,
        run: () => cardsOf(all),
        floor: () => cardsOf(rest[0]!),
        target: { atMost: 1.5 },
      },
    ]);
    return {
      results: [...results, ...listed],
      says: [await sizeOf(client, `with_${finished}`, finished), ...(await plansOf(client, `with_${finished}`))],
    };
  } finally {
    for (const tenant of tenants) await tenant.close();
    await client.end();
  }
};

interface Tenant {
  readonly ledger: Ledger;
  readonly append: () => Promise<void>;
  readonly pending: () => Promise<unknown>;
  /** As every worker does four times a second. */
  readonly lookAtQueue: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** What DBOS calls itself, and offers to no other. */
interface Inside {
  readonly systemDatabase: {
    findAndMarkStartableWorkflows(queue: object, executor: string, version: string): Promise<unknown>;
  };
}
const LOOKED_AT = { name: "runs", workerConcurrency: 2 };

async function openTenant(url: string, schema: string): Promise<Tenant> {
  const ledger = await openLedger({ url, schema });
  const leases: Lease[] = [];
  for (let at = 0; at < OPEN; at++) {
    await ledger.submit(aSubmission(`open${at}`));
    if (at % 2 === 1) continue;
    const answer = await ledger.claim(`open${at}`, "bench", 1);
    if (answer.status === "claimed") leases.push(answer.claimed.lease);
  }
  await ledger.beat({ id: "bench", version: "1", labels: [], queues: [], slots: 1, busy: 0, draining: false });
  const { DBOSClient } = await loadDbos();
  const queue = await DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: dbosSchemaOf({ schema }),
    applicationName: APPLICATION,
  });
  const { systemDatabase } = queue as unknown as Inside;
  return {
    ledger,
    append: appendsTo(ledger, leases[0]!),
    pending: () => queue.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false }),
    lookAtQueue: () => systemDatabase.findAndMarkStartableWorkflows(LOOKED_AT, "bench", FLEET_VERSION),
    close: async () => {
      await queue.destroy();
      await ledger.close();
    },
  };
}

/** What a list of runs is made of, in a process that knows none yet. */
const cardsOf = ({ ledger }: Tenant) => openMirror(ledger, Date.now, () => ({})).reader.cards();

function rowsOf(few: Tenant, many: Tenant, size: number): readonly Row[] {
  const row = (name: string, act: (tenant: Tenant) => unknown): Row => ({
    name: `${size}: ${name}`,
    run: () => act(many),
    floor: () => act(few),
    target: { atMost: 1.7 },
    repeat: 40,
  });
  return [
    row("append", ({ append }) => append()),
    row("claim and hand back", ({ ledger }) => claimAndHandBack(ledger)),
    row("one run", ({ ledger }) => ledger.get("open1")),
    row("open runs", ({ ledger }) => ledger.list({ states: ["queued", "running", "parked"], limit: LISTED })),
    row("messages to a run", ({ ledger }) => ledger.words("open1")),
    row("how many of each", ({ ledger }) => ledger.counts(Date.now() - DAY_MS)),
    row("a place under a limit", ({ ledger }) => ledger.askForTurn("open1", [["repository r", 5]])),
    row("workflows (reaper)", ({ pending }) => pending()),
    row("a look at the queue", ({ lookAtQueue }) => lookAtQueue()),
  ];
}

async function claimAndHandBack(ledger: Ledger): Promise<void> {
  const answer = await ledger.claim("open1", "bench", 1);
  if (answer.status !== "claimed") throw new Error(answer.status);
  await ledger.handBack(answer.claimed.lease);
}

function appendsTo(ledger: Ledger, lease: Lease): () => Promise<void> {
  let from = 0;
  return async () => {
    const rows = rowsOfTurn(from, 10);
    await ledger.append(lease, { from, rows, card: CARD, applied: [] });
    from += rows.length;
  };
}

async function sizeOf(client: pg.Client, schema: string, count: number): Promise<string> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT nspname || '.' || relname AS name, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname = ANY ($1) ORDER BY 2 DESC LIMIT 5`,
    [[schema, `${schema}_dbos`]],
  );
  const {
    rows: [events],
  } = await client.query<{ each: number }>(`SELECT count(*)::float8 / ${count} AS each FROM ${schema}.events`);
  const tables = rows.map(({ name, bytes }) => `${name} ${(Number(bytes) / count / 1000).toFixed(1)} kB`);
  return `a finished run of ${events!.each.toFixed(0)} events takes: ${tables.join(", ")}`;
}

/** How the statements that look at many runs find them. */
async function plansOf(client: pg.Client, schema: string): Promise<readonly string[]> {
  const statements = {
    "open runs": `SELECT run FROM ${schema}.runs WHERE state = ANY ('{queued,running,parked}') AND updated_at > -1 ORDER BY updated_at DESC, run LIMIT 1000`,
    "newest runs": `SELECT run FROM ${schema}.runs WHERE updated_at > -1 ORDER BY updated_at DESC, run LIMIT 1000`,
    "finished in a day": `SELECT count(*) FROM ${schema}.runs WHERE state = 'finished' AND updated_at > ${Date.now() - DAY_MS}`,
  };
  const plans: string[] = [];
  for (const [name, text] of Object.entries(statements)) {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, COSTS off, TIMING off) ${text}`);
    const lines = rows.map((row) => row["QUERY PLAN"].trim()).filter((line) => /Scan|Execution/.test(line));
    plans.push(`${name}: ${lines.join("; ")}`);
  }
  return plans;
}
