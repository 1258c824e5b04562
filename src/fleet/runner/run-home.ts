import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parseDocument } from "yaml";

/** A home of its own for a run: your settings without the database, and nothing of an earlier try. */
export function makeRunHome(home: string, config: string): void {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const settings = join(config, "config.yaml");
  if (existsSync(settings)) writeFileSync(join(home, "config.yaml"), withoutDatabase(readFileSync(settings, "utf8")));
  const workflows = join(config, "workflows");
  if (existsSync(workflows)) symlinkSync(workflows, join(home, "workflows"));
}

/** The agent reads this file, and the database is not for it. What cannot be read is left out: a worker does not start with it. */
export function withoutDatabase(yaml: string): string {
  const settings = parseDocument(yaml);
  if (settings.errors.length > 0 || !isMap(settings.contents)) return "";
  for (const key of ["database", "fleet"]) settings.delete(key);
  return settings.toString();
}

/** Neither the database nor what DBOS reads reaches the agent, its checks and its shells. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(?:TILDONE_DATABASE_URL|TILDONE_RUN_ID|TILDONE_GOAL|DBOS_.*|PG[A-Z]+|NODE_CHANNEL_.*)$/.test(name),
    ),
  );
}
