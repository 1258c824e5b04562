import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { openTildone, systemClock, type Tildone } from "../../compose/index.ts";
import { directories } from "../../config/index.ts";
import { openDrivers, sessionOfProcess } from "../../drivers/index.ts";
import type { Capabilities, Host, Leave } from "../../engine/index.ts";
import type { McpCall, McpTells } from "../host-profile.ts";
import { boundedLines, LARGEST_MESSAGE } from "./bounded-lines.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { createConnection } from "./connection.ts";
import { createServer } from "./server.ts";
import { type McpIdentity, type McpSession, sessionOf } from "./session-of.ts";
import { tellHook } from "./tell-hook.ts";

export type { McpSession } from "./session-of.ts";

export interface McpOptions {
  /** The host that started the server, where its configuration says so. */
  readonly host?: string;
  /** How hosts tell whose call it is, by their names. */
  readonly tells: Readonly<Record<string, McpTells | undefined>>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** The hook's program: it finds out what became of a host that is gone. */
  readonly hookEntry?: string;
  /** Ends the server before the client goes. */
  readonly signal?: AbortSignal;
  /** A session whose host has our hooks, too, made its first call. */
  readonly onSession?: (session: McpSession) => void;
  /** It is known whose server this is, with or without a call: the agent may keep its list with the host's own tools. */
  readonly onKnown?: (session: McpSession) => void;
}

/** Serves the todo tools on standard input and output until the client goes. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { tells, cwd, env, version, host, hookEntry, signal, onSession, onKnown } = options;
  const identity: McpIdentity = { connection: randomUUID(), tells, env, cwd, host };
  const hostProcess = Number(env.MCP_HOST_PROCESS) || process.ppid; // a shell may stand between us
  const opened = new Map<string, Promise<Tildone>>();
  const sessions = new Set<string>();
  const drivers = openDrivers({ state: directories({ env, home: homedir() }).state, clock: systemClock() });
  const stays = new Map<string, { readonly session: string; readonly leave: Leave }>();
  const known = (call: McpCall): McpSession => {
    const found = sessionOf(identity, call);
    if (found.hasHooks && !sessions.has(found.session)) onKnown?.(found);
    if (found.hasHooks) sessions.add(found.session);
    if (found.hasHooks) stay(found);
    return found;
  };
  /** As long as this server lives, so does its client: the run of the session is being worked on. */
  const stay = (found: McpSession): void => {
    const { host: program, session } = found;
    if (stays.has(program + session)) return;
    const place = { host: program, session, driver: driverOf(found) };
    const leave = drivers.enter({ ...place, kind: "server", program, hostPid: hostProcess });
    stays.set(program + session, { session, leave });
  };
  // Not every host tells its session before the first call; its hooks look whether we are there.
  if (host !== undefined) stay({ host, session: sessionOfProcess(hostProcess), hasHooks: true });
  known({}); // some hosts say at once whose server it is, and the agent may keep its list with the host's own tools
  const connection = createConnection({
    sessionOf: known,
    tildone: (session) => {
      const key = session.host + session.session;
      const before = opened.get(key);
      if (before) return before;
      if (session.nowhere !== undefined) return Promise.reject(new Error(session.nowhere));
      const made = open(session, options);
      stay(session);
      opened.set(key, made);
      made.catch(() => opened.delete(key)); // a mistake of yours: the next call looks whether you fixed it
      if (session.hasHooks) onSession?.(session);
      return made;
    },
  });
  const server = createServer(connection, version);
  const messages = process.stdin.pipe(boundedLines((answer) => process.stdout.write(answer)));
  const transport = new StdioServerTransport(messages, process.stdout, { maxBufferSize: 2 * LARGEST_MESSAGE });
  const gone = new Promise<void>((resolve) => {
    server.onclose = () => resolve();
    process.stdin.once("end", () => resolve());
    signal?.addEventListener("abort", () => resolve());
  });
  await server.connect(transport);
  await gone;
  // Of what our host leaves unfinished everybody can see that it ended, until the session is heard of again.
  const ofProcess = sessionOfProcess(hostProcess);
  const served = new Set([...sessions, ...drivers.served().map(({ session }) => session)]);
  served.delete(ofProcess);
  // First of all: a host that ends may kill us at any moment.
  const told =
    host === undefined || hookEntry === undefined
      ? []
      : [...served].map((session) => tellHook({ host, hookEntry, session, hostProcess, env }));
  for (const { session, leave } of stays.values()) leave(session === ofProcess ? undefined : "findable");
  for (const tildone of opened.values()) (await tildone).dispose();
  await Promise.all(told);
  process.stdin.destroy(); // or it would keep the process
}

/** Hooks and server of one session are one driver: whichever runs speaks for it. */
const driverOf = ({ host, session }: McpSession): string => `${host}:${session}`;

async function open(found: McpSession, { cwd, env, tells }: McpOptions): Promise<Tildone> {
  const { host, hasHooks, cwd: told } = found;
  const result = await openTildone({
    host: silentHost(host, hasHooks ? { ...CAPABILITIES.hooked, ...renewal(tells[host]) } : CAPABILITIES.client),
    cwd: told ?? cwd,
    env,
    driver: driverOf(found),
  });
  if (!result.ok) throw new Error(`Your tildone configuration is wrong. ${result.problems.join(" ")}`);
  return result.tildone;
}

const renewal = (tells: McpTells | undefined): Partial<Capabilities> => (tells?.renews ? { renews: tells.renews } : {});

/** A client cannot be spoken to between its calls; what you must know stands in `tildone status`. */
const silentHost = (name: string, capabilities: Capabilities): Host => ({
  name,
  capabilities,
  nudge: () => Promise.reject(new Error("an MCP client starts its own turns")),
  deliver: () => Promise.reject(new Error("messages go out with the next tool result")),
  show: () => {},
  endTurn: () => {},
});
