import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { encode } from "uqr";
import type { Told, UndoHome } from "../compose/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import type { Drivers, Reader, Store } from "../engine/index.ts";
import { type Access, openAccess } from "./access/index.ts";
import { addressOf, hostsFor, isLoopback } from "./addresses.ts";
import { createBoard } from "./board.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { createStreams } from "./event-stream.ts";
import { routes } from "./routes.ts";
import { staticFiles } from "./static-files.ts";
import type { Invitation } from "./wire.ts";

export interface ServerOptions {
  /** `reader`, `drivers` and `tell` know runs elsewhere, too, where there are any. */
  readonly store: Store & {
    readonly drivers: Drivers;
    readonly reader: Reader;
    readonly ageOutMs: number;
    tell(run: string, trigger: Trigger, from: Spoken): Promise<Told>;
  };
  readonly elsewhere?: Elsewhere | undefined;
  /** The state folder of the user. */
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly listen: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Names under which a proxy in front of it is called. */
  readonly names: readonly string[];
  /** Where the built page is. */
  readonly page: string;
  readonly failed: (where: string, error: unknown) => void;
  /** How long a request may take to arrive. */
  readonly patienceMs?: number;
}

export interface OpenServer {
  readonly address: string;
  readonly port: number;
  /** A way in: each can be used once. */
  invite(): Invitation;
  close(): Promise<void>;
}

export type Opened =
  | { readonly status: "open"; readonly server: OpenServer }
  | { readonly status: "refused"; readonly why: "taken" | "no_such_address" | "not_built" | "not_allowed" };

/** How often it is looked whether a run moved: an event is on the page well within 300 ms. */
const LOOK_MS = 50;
/** Another machine is asked less often. */
const LOOK_ELSEWHERE_MS = 400;
const BEAT_MS = 15_000;
const PROCESSES_MS = 5_000;
const MOST_CONNECTIONS = 200;
const MOST_STREAMS = 64;

export async function openServer(options: ServerOptions): Promise<Opened> {
  const { store, elsewhere, state, env, now, listen, names, patienceMs = 12_000 } = options;
  const files = staticFiles(options.page);
  if (!files) return { status: "refused", why: "not_built" };
  const home: UndoHome = { store, state, env, now };
  const access = openAccess(state, now);
  const board = createBoard({ ...store, elsewhere, now });
  const streams = createStreams(board, MOST_STREAMS);
  let hosts: ReadonlySet<string> = new Set();
  let port = options.port;
  const invite = (): Invitation =>
    invitation(access, addressOf(listen, port, names), isLoopback(listen) && names.length === 0);
  const { failed } = options;
  const { reader, tell } = store;
  const app = routes({
    ...{ home, reader, tell, elsewhere, access, board, streams, files },
    ...{ hosts: () => hosts, invite, failed },
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      // Who sends slowly, or a lot, does not keep a place.
      ...{ headersTimeout: patienceMs, requestTimeout: patienceMs, keepAliveTimeout: 5_000 },
      connectionsCheckingInterval: Math.min(1_000, patienceMs / 2),
      maxHeaderSize: 16 * 1024,
    },
  }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  refuseSilence(server, patienceMs);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  server.on("upgrade", (_request: IncomingMessage, socket) => void socket.destroy()); // no websockets here
  const problem = await listening(server, options.port, listen);
  if (problem) return { status: "refused", why: problem };
  port = (server.address() as AddressInfo).port;
  hosts = hostsFor(listen, port, names);
  const timers = [
    setInterval(() => streams.count() > 0 && safely(board.look), LOOK_MS),
    setInterval(() => streams.count() > 0 && safely(board.lookAtProcesses), PROCESSES_MS),
    ...(elsewhere ? [setInterval(() => streams.count() > 0 && safely(board.lookElsewhere), LOOK_ELSEWHERE_MS)] : []),
    setInterval(
      () => streams.count() > 0 && streams.endAll((id) => access.devices().some((device) => device.id === id)),
      2_000,
    ),
    setInterval(streams.beat, BEAT_MS),
  ];
  return {
    status: "open",
    server: {
      ...{ address: addressOf(listen, port, names), port, invite },
      close: async () => {
        for (const timer of timers) clearInterval(timer);
        streams.endAll(() => false);
        await new Promise<void>((done) => {
          server.close(() => done());
          server.closeAllConnections();
        });
      },
    },
  };

  async function safely(look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (error) {
      failed("looking for changes", error);
    }
  }
}

/** Node waits for the first byte of a connection without end: who says nothing is sent away, too. */
function refuseSilence(server: Server, patienceMs: number): void {
  const silent = new WeakMap<Socket, NodeJS.Timeout>();
  server.on("connection", (socket) => {
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    silent.set(socket, timer);
    socket.once("close", () => clearTimeout(timer));
  });
  server.on("request", ({ socket }) => clearTimeout(silent.get(socket)));
}

function listening(
  server: Server,
  port: number,
  host: string,
): Promise<"taken" | "no_such_address" | "not_allowed" | undefined> {
  return new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") done("taken");
      else if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") done("no_such_address");
      else if (error.code === "EACCES") done("not_allowed");
      else fail(error);
    });
    server.listen(port, host, () => done(undefined));
  });
}

/** The code stands behind the `#`: browsers keep that part to themselves. */
function invitation(access: Access, origin: string, isLocal: boolean): Invitation {
  const { code, endsAt } = access.code();
  const address = `${origin}/#pair=${code}`;
  return { address, endsAt, isLocal, qr: encode(address, { border: 2 }).data };
}
