import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { reportText, type Told, type UndoHome } from "../compose/index.ts";
import type { Trigger } from "../core/react/index.ts";
import type { Spoken } from "../core/speaker/index.ts";
import type { Reader } from "../engine/index.ts";
import { answerButton, BUTTON_PATH } from "../notify/index.ts";
import { type Access, countGuesses, type Device, deviceName } from "./access/index.ts";
import type { LiveBoard } from "./board.ts";
import type { Elsewhere } from "./elsewhere.ts";
import type { Streams } from "./event-stream.ts";
import { refusalOf, SAFE_HEADERS } from "./guard.ts";
import { readSaying } from "./read-saying.ts";
import { runDiff } from "./run-diff.ts";
import { runPage } from "./run-page.ts";
import type { StaticFile } from "./static-files.ts";
import { filesElsewhere, type Target, tell } from "./tell.ts";
import type { Answered, Invitation } from "./wire.ts";

export interface RoutePorts {
  readonly home: UndoHome;
  readonly reader: Reader;
  /** Says something to a run, wherever it is. */
  readonly tell: (run: string, trigger: Trigger, from: Spoken) => Promise<Told>;
  readonly elsewhere: Elsewhere | undefined;
  readonly access: Access;
  readonly board: LiveBoard;
  readonly streams: Streams;
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Names under which this server may be called. */
  readonly hosts: () => ReadonlySet<string>;
  readonly invite: () => Invitation;
  /** What went wrong inside, without anything that a request carried. */
  readonly failed: (where: string, error: unknown) => void;
}

const MOST_BODY = 128 * 1024;
const MOST_GUESSES = 20;
type Env = { Variables: { device: Device } };

const STATUS = { done: 200, unchanged: 200, refused: 409, taken: 409 } as const satisfies Record<
  Answered["status"],
  number
>;

/** Everything that is answered. Nothing but the page itself, a sign of life and pairing is answered without a token. */
export function routes(ports: RoutePorts): Hono<Env> {
  const { home, reader, elsewhere, access, board, streams, files, hosts, invite, failed } = ports;
  const guesses = countGuesses(MOST_GUESSES, home.now);
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) c.header(name, value);
    c.header("Cache-Control", "no-store");
    const header = (name: string) => c.req.header(name);
    const refusal = refusalOf(
      {
        ...{ method: c.req.method, path: c.req.path, host: header("host"), origin: header("origin") },
        ...{ site: header("sec-fetch-site"), mode: header("sec-fetch-mode"), contentType: header("content-type") },
      },
      hosts(),
    );
    if (refusal) return c.json({ message: refusal.message }, refusal.status);
    return next();
  });
  app.use(
    bodyLimit({ maxSize: MOST_BODY, onError: (c) => c.json({ message: "That is too long: at most 128 KiB." }, 413) }),
  );
  app.onError((error, c) => {
    if (elsewhere?.isAway(error)) return c.json({ message: error.message }, 503);
    failed(`${c.req.method} ${c.req.routePath}`, error);
    return c.json({ message: "Internal error; please report it. The terminal of tildone serve says more." }, 500);
  });
  const nothing = (c: Context) => c.json({ message: "There is nothing here." }, 404);
  // Whoever typed a wrong address into a browser gets the page, which says so and leads back.
  app.notFound((c) => (isTyped(c) ? fileAnswer(c, files.get("/index.html")!, 404) : nothing(c)));

  app.get("/health", (c) => c.json({ status: "ok" }));
  app.post("/api/pair", async (c) => {
    if (guesses.tooMany()) return c.json({ message: "Too many wrong codes. Wait a minute, then try again." }, 429);
    const { code } = fieldsOf(await bodyOf(c));
    const paired = typeof code === "string" && code.length < 100 ? access.pair(code, nameIn(c)) : undefined;
    if (paired) return c.json(paired);
    guesses.wrong();
    return c.json({ message: "This code was used already, is too old or is wrong." }, 403);
  });

  // A button of a notification: its own token is all it needs, and no page can send it.
  app.all(BUTTON_PATH, (c) => {
    const pressed = { method: c.req.method, authorization: c.req.header("authorization") };
    const { status, headers, body } = answerButton(home.store, home.now(), pressed);
    return c.body(body, status, { ...headers });
  });

  app.use("/api/*", async (c, next) => {
    const [, token] = /^Bearer (\S{1,200})$/.exec(c.req.header("authorization") ?? "") ?? [];
    const device = token === undefined ? undefined : access.deviceOf(token);
    if (!device) return c.json({ message: "This browser is not paired any more." }, 401);
    c.set("device", device);
    return next();
  });

  app.get("/api/board", async (c) => c.json(await board.board()));
  app.get("/api/events", (c) => {
    const stream = streams.open(c.get("device").id, c.req.header("last-event-id"));
    if (!stream) return c.json({ message: "Too many pages are open. Close one." }, 503);
    c.header("Content-Type", "text/event-stream; charset=utf-8");
    c.header("X-Accel-Buffering", "no");
    return c.body(stream);
  });

  app.get("/api/runs/:run", async (c) => {
    const run = c.req.param("run");
    const entry = await board.row(run);
    const page = entry && (await runPage(reader, entry));
    return page ? c.json(page) : gone(c, run);
  });
  app.get("/api/runs/:run/diff/:todo", async (c) => {
    const target = await targetOf(c.req.param("run"));
    if (!target) return gone(c, c.req.param("run"));
    const { card } = target;
    if (target.cancel) return c.json({ message: filesElsewhere(card.run) }, 409);
    const diff = await runDiff(home, card, c.req.param("todo"));
    return typeof diff === "string" ? c.json({ message: diff }, 409) : c.json(diff);
  });
  app.get("/api/runs/:run/report", async (c) => {
    const run = c.req.param("run");
    if (!(await reader.read(run))) return gone(c, run);
    return c.json({ name: `${run}.html`, text: await reportText({ ...home.store, reader }, run, "html") });
  });
  app.post("/api/runs/:run/tell", async (c) => {
    const target = await targetOf(c.req.param("run"));
    if (!target) return gone(c, c.req.param("run"));
    const read = readSaying(await bodyOf(c));
    if (!read.ok) return c.json({ message: read.message }, 400);
    const told = await tell(home, target, read.saying, spokenBy(c.get("device"), read.id));
    await board.wrote();
    if (target.cancel) await board.lookElsewhere();
    return c.json(told, STATUS[told.status]);
  });

  app.get("/api/devices", (c) => c.json({ own: c.get("device").id, devices: access.devices() }));
  app.post("/api/devices/codes", (c) => c.json(invite()));
  app.delete("/api/devices/:device", (c) => {
    const isRevoked = access.revoke(c.req.param("device"));
    streams.endAll((id) => id !== c.req.param("device"));
    return isRevoked ? c.json({ status: "done" }) : c.json({ message: "There is no such device any more." }, 404);
  });
  app.all("/api/*", nothing);

  for (const [name, file] of files) app.get(name, (c) => fileAnswer(c, file));
  // Each page has an address of its own; all of them are the same file.
  for (const path of ["/", "/runs", "/runs/:run", "/devices"])
    app.get(path, (c) => fileAnswer(c, files.get("/index.html")!));
  return app;

  async function targetOf(run: string): Promise<Target | undefined> {
    const telling = (trigger: Trigger, from: Spoken) => ports.tell(run, trigger, from);
    const here = home.store.runs.get(run);
    if (here) return { card: here, log: home.store.log, tell: telling };
    const isKnown = elsewhere && (await board.row(run)) !== undefined;
    const card = isKnown ? elsewhere.card(run) : undefined;
    if (!elsewhere || !card) return undefined;
    return { card, log: await elsewhere.log(run), tell: telling, cancel: () => elsewhere.cancel(run) };
  }
}

const isTyped = (c: Context): boolean => c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");

function fileAnswer(c: Context, { type, body, isImmutable }: StaticFile, status: 200 | 404 = 200): Response {
  c.header("Content-Type", type);
  c.header("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  return c.body(body, status);
}

const gone = (c: Context, run: string): Response =>
  c.json({ message: `There is no run ${run.slice(0, 100)}. It may have been removed.` }, 404);

const nameIn = (c: Context): string => deviceName(c.req.header("user-agent") ?? "");

const spokenBy = ({ name }: Device, request: string): Spoken => ({
  ...{ via: "page", device: name, request },
  ...(process.getuid && { uid: process.getuid() }),
});

async function bodyOf(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch (error) {
    const isLeft = error instanceof Error && error.message === "aborted"; // its sender is gone
    if (error instanceof SyntaxError || isLeft) return undefined;
    throw error;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
