/** A worker as a process of its own; what it works with comes as JSON, and the database URL by its environment. */
import { join } from "node:path";
import { openWorker } from "../../../src/fleet/index.ts";

const { TILDONE_DATABASE_URL: url = "", WORKER = "{}" } = process.env;
const here = (name: string): readonly string[] => [process.execPath, join(import.meta.dirname, name)];
const worker = await openWorker({
  access: { url },
  slots: 2,
  queues: ["runs"],
  labels: [],
  allow: ["*"],
  env: process.env,
  version: "test",
  log: (line) => console.log(line),
  programs: { runner: here("runner.ts"), tildone: here("tildone.ts") },
  ...JSON.parse(WORKER),
});
process.on("SIGTERM", () => void worker.drain());
const how = await worker.drained;
process.exit(how === "newer" ? 75 : 0);
