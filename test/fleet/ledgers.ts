import { initFleet, type Ledger, memoryLedger, openLedger, type Submission } from "../../src/fleet/index.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";

/** A ledger of each kind, empty. */
export interface LedgerKind {
  open(): Promise<Ledger>;
  close(): Promise<void>;
}

/** Both kinds for a suite. One server and one set of tables, emptied for each ledger; it starts with the first that needs it. */
export function ledgerKinds(): Readonly<Record<"memory" | "PostgreSQL", LedgerKind>> {
  let server: Promise<{ readonly postgres: TestPostgres; readonly url: string }> | undefined;
  return {
    memory: { open: async () => memoryLedger(), close: async () => {} },
    PostgreSQL: {
      open: async () => {
        server ??= prepared();
        const { postgres, url } = await server;
        const tables = TABLES.map((table) => `tildone.${table}`).join(", ");
        await postgres.sql(`TRUNCATE ${tables}`, new URL(url).pathname.slice(1));
        return openLedger({ url });
      },
      close: async () => (await server)?.postgres.stop(),
    },
  };
}

const TABLES = ["runs", "events", "events_lost", "conversation", "inbox", "workers", "slots"];

async function prepared() {
  const postgres = await startPostgres();
  const url = await postgres.database();
  await initFleet({ url, ownTablesOnly: true });
  return { postgres, url };
}

export const aSubmission = (run: string, given: Partial<Submission> = {}): Submission => ({
  run,
  goal: "Make it work",
  repo: "https://example.test/repo.git",
  checks: [],
  queue: "runs",
  needs: [],
  priority: 0,
  budget: {},
  pr: false,
  by: "you",
  ...given,
});
