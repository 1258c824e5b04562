import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { HostName } from "./dialect.ts";
import { type Payload, textAt } from "./payload.ts";

export interface Places {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The transcript that the host names, and else the one that we find. */
export const transcriptOf = (payload: Payload, host: HostName, session: string, places: Places): string | undefined =>
  textAt(payload, "transcript_path") ?? findTranscript(host, session, places);

/** Where a host keeps the transcript of a session, where no hook said it; undefined: there is none yet, or none that we could find. */
export function findTranscript(host: HostName, session: string, { env, home }: Places): string | undefined {
  try {
    switch (host) {
      case "claude-code":
        return claudes(join(env.CLAUDE_CONFIG_DIR ?? join(home, ".claude"), "projects"), session);
      case "codex":
        return codexs(join(env.CODEX_HOME ?? join(home, ".codex"), "sessions"), session);
      case "gemini":
        return undefined; // its hooks tell, and the name of its file does not
    }
  } catch {
    return undefined; // it has not written anything yet
  }
}

/** In one folder for each place that Claude Code ever worked in. */
const claudes = (projects: string, session: string): string | undefined =>
  readdirSync(projects)
    .map((place) => join(projects, place, `${session}.jsonl`))
    .find((path) => existsSync(path));

/** In one folder a day, below its month and its year. A session that goes on after weeks stands in that of its first day. */
function codexs(sessions: string, session: string): string | undefined {
  const newest = (folder: string): readonly string[] => readdirSync(folder).sort().reverse();
  let left = MOST_DAYS;
  for (const year of newest(sessions))
    for (const month of newest(join(sessions, year)))
      for (const day of newest(join(sessions, year, month))) {
        const folder = join(sessions, year, month, day);
        const name = newest(folder).find((each) => each.endsWith(`-${session}.jsonl`));
        if (name !== undefined) return join(folder, name);
        if (--left === 0) return undefined;
      }
  return undefined;
}
const MOST_DAYS = 100;

/** The last bytes of a file and how long it is; a transcript grows to many megabytes. */
export function endOf(path: string, bytes: number): { readonly size: number; readonly text: string } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    return { size, text: buffer.toString("utf8", 0, read) };
  } finally {
    closeSync(file);
  }
}
