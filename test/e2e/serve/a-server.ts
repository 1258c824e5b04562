import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type FleetRuns, openFleetHome } from "../../../src/cli/fleet/fleet-home.ts";
import type { HomeStore } from "../../../src/cli/home.ts";
import { tellRun } from "../../../src/compose/index.ts";
import { openDrivers } from "../../../src/drivers/index.ts";
import { createReader, type Store } from "../../../src/engine/index.ts";
import { systemClock } from "../../../src/machine/index.ts";
import { type OpenServer, openServer } from "../../../src/serve/index.ts";
import { openStore } from "../../../src/store/index.ts";

export interface AServer extends AsyncDisposable {
  /** Another connection to the same runs, as another process has it. */
  readonly store: Store;
  readonly server: OpenServer;
  readonly origin: string;
  readonly state: string;
  readonly failures: readonly string[];
  /** The headers of a browser that was paired. */
  readonly headers: Readonly<Record<string, string>>;
  pairing(): string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface AServerGiven {
  readonly now?: () => number;
  readonly patienceMs?: number;
  /** A state folder that another process works with, and removes. */
  readonly state?: string;
  /** Connects to the runs of a fleet. */
  readonly fleet?: () => Promise<FleetRuns>;
}

/** A server over a store of its own, with a browser paired. */
export async function aServer({
  now = Date.now,
  patienceMs,
  state: others,
  fleet,
}: AServerGiven = {}): Promise<AServer> {
  const state = others ?? mkdtempSync(join(tmpdir(), "tildone-serve-"));
  const path = join(state, "tildone.db");
  const [own, store] = [await openStore({ path }), await openStore({ path })];
  const drivers = openDrivers({ state, clock: systemClock() });
  const reader = createReader(own, drivers, now, () => ({}));
  const failures: string[] = [];
  const here = {
    ...{ ...own, drivers, reader, ageOutMs: 7 * 86_400_000 },
    tell: async (run, trigger, from) => tellRun({ store: own, run, now: now(), from }, trigger),
  } as HomeStore;
  const settings = { url: "postgres://localhost/none", schema: "tildone" };
  const home = fleet && openFleetHome(here, settings, { err: () => {}, now }, fleet);
  const opened = await openServer({
    ...{ store: home ?? here, elsewhere: home?.elsewhere },
    ...{ state, env: { PATH: process.env.PATH }, now, listen: "127.0.0.1", port: 0, names: [] },
    page: resolve("dist/page"),
    ...(patienceMs !== undefined && { patienceMs }),
    failed: (where, error) => void failures.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`),
  });
  if (opened.status !== "open") throw new Error(`the server did not open: ${opened.why}. Run npm run build first.`);
  const { server } = opened;
  const origin = server.address;
  const pairing = () => /#pair=([\w-]+)$/.exec(server.invite().address)![1]!;
  const json = { "content-type": "application/json" };
  const paired = await fetch(`${origin}/api/pair`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ code: pairing() }),
  });
  const { token } = (await paired.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  return {
    ...{ store, server, origin, state, failures, headers, pairing },
    get: (path, more = headers) => fetch(`${origin}${path}`, { headers: more }),
    post: (path, body, more = headers) =>
      fetch(`${origin}${path}`, { method: "POST", headers: { ...json, ...more }, body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await home?.close();
      own.close();
      store.close();
      if (others === undefined) rmSync(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
