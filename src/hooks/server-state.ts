import { readFileSync } from "node:fs";
import { directories } from "../config/index.ts";
import { openDrivers, sessionOfProcess } from "../drivers/index.ts";
import { systemClock } from "../machine/index.ts";
import type { Dialect } from "./dialect.ts";

/** `ended`: it served this session and died. `missing`: this host never started it. Undefined: it is there, or that is unknown. */
export type ServerState = "ended" | "missing" | undefined;

export interface ServerQuestion {
  readonly host: string;
  readonly session: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What started the hook: the host itself, or a shell of its. */
  readonly parent?: number;
}

/** What became of the server of this session. It says of itself that it lives; without it the agent has none of our tools. */
export function serverState({ host, session, env, home, parent }: ServerQuestion): ServerState {
  const drivers = openDrivers({ state: directories({ env, home }).state, clock: systemClock() });
  const serversOf = (key: string) => drivers.of({ host, session: key }).filter(({ kind }) => kind === "server");
  const own = serversOf(session).filter(({ isHostGone }) => !isHostGone); // a host before this one had another server
  if (own.length > 0) return own.some(({ isAlive }) => isAlive) ? undefined : "ended";
  const above = parent === undefined ? [] : ancestors(parent);
  if (above.length < 2) return undefined; // who started whom cannot be read here
  return above.some((pid) => serversOf(sessionOfProcess(pid)).some(({ isAlive }) => isAlive)) ? undefined : "missing";
}

/**
 * A new event of a session: what shows that an earlier host of it ended is over. The server that this host started may not have been
 * called by the agent yet, which may keep its list with the host's own tools; only then it would not know whose server it is.
 */
export function noteHost({ host, session, env, home, parent }: ServerQuestion): void {
  const drivers = openDrivers({ state: directories({ env, home }).state, clock: systemClock() });
  drivers.forgetHosts({ host, session });
  const isKnown = drivers.of({ host, session }).some(({ kind }) => kind === "server");
  const above = isKnown || parent === undefined ? [] : ancestors(parent);
  const server = above.map((pid) => ({ host, session: sessionOfProcess(pid) })).find((at) => drivers.of(at).length > 0);
  if (server) drivers.introduce(server, { host, session, driver: `${host}:${session}` });
}

const DEEPEST = 5;

/** This process and those above it, as far as a host's shells reach. */
function ancestors(pid: number): readonly number[] {
  const found: number[] = [];
  for (let at = pid; at > 1 && found.length < DEEPEST; at = parentOf(at)) found.push(at);
  return found;
}

function parentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]) || 0;
  } catch {
    return 0; // no such files here
  }
}

/** What you read about it. */
export function serverNotice(
  state: NonNullable<ServerState>,
  { host, resumed }: Pick<Dialect, "host" | "resumed">,
  session: string,
): string {
  return state === "ended"
    ? `The tildone server of this session ended, so the todo list cannot change. Quit, then continue with: ${resumed(session)}`
    : `The tildone server does not run in this session, so the agent has none of its tools. Run: tildone doctor ${host}`;
}

/** And the agent: it may well continue with its work. */
export const SERVER_GONE =
  "The tools of the tildone server do not answer in this session. Do the work itself; do not wait for them.";
