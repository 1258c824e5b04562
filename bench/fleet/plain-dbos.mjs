// The floor of an idle worker: DBOS alone, with one queue that it looks at as often as a worker does. Plain JavaScript: Node needs memory
// to take types out.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { registerInternalQueue } from "@dbos-inc/dbos-sdk/internal/wfqueue";

const quiet = () => {};
registerInternalQueue("plain", { workerConcurrency: 2, minPollingIntervalMs: 250 });
DBOS.setConfig({
  name: "plain",
  systemDatabaseUrl: process.env.TILDONE_DATABASE_URL,
  systemDatabaseSchemaName: "tildone_dbos",
  executorID: "plain",
  applicationVersion: "plain-1",
  runMigrations: false,
  listenQueues: [],
  systemDatabasePoolSize: 5,
  systemDatabaseIdleTransactionTimeoutMs: 0,
  logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
});
await DBOS.launch();
console.log("started");
process.on("SIGTERM", () => void DBOS.shutdown().then(() => process.exit(0)));
