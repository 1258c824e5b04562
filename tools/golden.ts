// node tools/golden.ts: writes the logs of this version and what they fold to into test/golden/<version>/, and the
// tables of test/tables.
// Logs of released versions are never written again: that old logs are still read is what they are for.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fold } from "../src/core/run/index.ts";
import { logOf, STORIES, summaryOf } from "../test/golden.ts";
import { TABLES } from "../test/tables/tables.ts";

const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const folder = join(root, "test/golden", version);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, story] of Object.entries(STORIES)) {
  const log = await logOf(story);
  writeFileSync(join(folder, `${name}.jsonl`), log.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(join(folder, `${name}.summary.json`), `${JSON.stringify(summaryOf(fold(log)), null, 2)}\n`);
  console.log(`wrote ${name}: ${log.length} events`);
}
for (const [name, table] of Object.entries(TABLES)) writeFileSync(join(root, `test/tables/${name}.txt`), table());
