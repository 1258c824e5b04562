import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AServer, aServer } from "../e2e/serve/a-server.ts";
import { fuzz } from "../e2e/serve/fuzz.ts";
import { aDay, digestFor } from "../e2e/serve/runs.ts";

let place: AServer;
let clock = Date.now();
beforeAll(async () => {
  place = await aServer({ patienceMs: 1_000, now: () => clock });
  aDay(place.store);
});
afterAll(() => place[Symbol.asyncDispose]());

const APPROVE = {
  id: "a-click-from-elsewhere",
  saying: { type: "answer", ask: digestFor("call-push"), outcome: "once", words: "" },
};
const TELL = "/api/runs/api-deploy/tell";
const ROUTES = [
  "/api/board",
  "/api/events",
  "/api/runs/api-deploy",
  "/api/runs/api-deploy/report",
  "/api/runs/api-deploy/diff/t1",
  "/api/devices",
];
const isUnanswered = () =>
  place.store.log.read("api-deploy", 0).events.every(({ event }) => event.type !== "approval.answered");

/** As a browser would not let us: with a name of our choice. */
function raw(text: string): Promise<string> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(place.origin).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => done(answer));
    socket.on("error", () => done(answer));
  });
}

describe("a page of another origin, with a token that it should not have", () => {
  const FROM: readonly Readonly<Record<string, string>>[] = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { origin: "https://127.0.0.1.evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  test.each(FROM)("%o reads nothing, hears nothing and answers nothing", async (from) => {
    for (const route of ROUTES) expect((await place.get(route, { ...place.headers, ...from })).status, route).toBe(403);
    expect((await place.post(TELL, APPROVE, { ...place.headers, ...from })).status).toBe(403);
    expect(isUnanswered()).toBe(true);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "a form of the kind %j is refused",
    async (type) => {
      const response = await fetch(`${place.origin}${TELL}`, {
        method: "POST",
        headers: { ...place.headers, "content-type": type },
        body: JSON.stringify(APPROVE),
      });
      expect(response.status).toBe(415);
      expect(isUnanswered()).toBe(true);
    },
  );

  test("no answer says that others may read it", async () => {
    const response = await place.get("/api/board");
    for (const [name] of response.headers) expect(name).not.toMatch(/^access-control-/);
  });
});

test.each([
  "evil.example",
  "evil.example:80",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "127.0.0.1",
  "0",
  "",
])("called %j, as a name that was pointed here, it answers nothing", async (host) => {
  for (const path of ["/", "/health", "/api/board"]) {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${place.headers.authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (421|400) /);
    expect(answer).not.toContain("shop-vat1");
  }
});

describe("without a token, or with a guessed one", () => {
  test("nothing but the page, a sign of life and pairing is answered", async () => {
    for (const route of ROUTES) expect((await place.get(route, {})).status, route).toBe(401);
    expect((await place.post(TELL, APPROVE, {})).status).toBe(401);
    expect(await (await place.get("/health", {})).json()).toEqual({ status: "ok" });
    expect(isUnanswered()).toBe(true);
  });

  test("a thousand tokens are guessed in vain", async () => {
    const [id] = place.headers.authorization!.replace("Bearer ", "").split(".");
    for (let at = 0; at < 1000; at++) {
      const guess =
        at % 2 === 0 ? `${id}.${Buffer.from(`${at}`).toString("base64url").padEnd(43, "A")}` : `${at}`.repeat(10);
      expect((await place.get("/api/board", { authorization: `Bearer ${guess}` })).status).toBe(401);
    }
  });

  test("codes are guessed in vain, and soon not looked at; a minute later the right one works, once", async () => {
    const code = place.pairing();
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++) statuses.push((await place.post("/api/pair", { code: `guess-${at}` }, {})).status);
    expect([...new Set(statuses)]).toEqual([403, 429]);
    expect((await place.post("/api/pair", { code }, {})).status).toBe(429);
    clock += 61_000;
    expect((await place.post("/api/pair", { code }, {})).status).toBe(200);
    expect((await place.post("/api/pair", { code }, {})).status).toBe(403);
  });

  test("a code that is too old pairs no browser", async () => {
    const code = place.pairing();
    clock += 11 * 60_000;
    expect((await place.post("/api/pair", { code }, {})).status).toBe(403);
  });

  test.each(["../devices/x", "..", "a/b", "\u0000", "x".repeat(99)])(
    "a code that is a path (%j) reads no file",
    async (code) => {
      clock += 61_000;
      expect((await place.post("/api/pair", { code }, {})).status).toBe(403);
    },
  );
});

test("the token stands in no page, no header, no file and no message", async () => {
  const secret = place.headers.authorization!.split(".")[1]!;
  const texts = [
    await (await place.get("/", {})).text(),
    await (await place.get("/health", {})).text(),
    ...place.failures,
  ];
  const response = await place.get("/api/board");
  texts.push(JSON.stringify([...response.headers]), await response.text());
  for (const folder of ["serve/devices", "serve/codes"])
    for (const name of readdirSync(join(place.state, folder)))
      texts.push(readFileSync(join(place.state, folder, name), "utf8"));
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test("everything that is answered says what a browser may do with it", async () => {
  for (const path of ["/", "/icon.svg", "/health", "/api/board", "/nothing"]) {
    const { headers } = await place.get(path, {});
    expect(headers.get("content-security-policy"), path).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect([headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual(["nosniff", "no-referrer"]);
  }
  expect(await (await place.get("/", {})).text()).not.toMatch(/<script(?![^>]*\bsrc=)/);
});

describe("too much and too slow", () => {
  test("a body that is too long is refused, with or without its length", async () => {
    const long = JSON.stringify({ id: "abcdefgh", saying: { type: "say", text: "x".repeat(300_000), later: false } });
    expect((await place.post(TELL, JSON.parse(long))).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 40; at++) controller.enqueue(new TextEncoder().encode("x".repeat(10_000)));
        controller.close();
      },
    });
    const init = {
      method: "POST",
      headers: { ...place.headers, "content-type": "application/json" },
      body: stream,
      duplex: "half",
    };
    expect((await fetch(`${place.origin}${TELL}`, init as RequestInit)).status).toBe(413);
  });

  test("who sends a head or a body slowly is cut off", async () => {
    const host = new URL(place.origin).host;
    const slow = [
      `GET /health HTTP/1.1\r\nHost: ${host}\r\nX: `,
      `POST ${TELL} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAuthorization: ${place.headers.authorization}\r\nContent-Length: 1000\r\n\r\n{`,
    ];
    for (const answer of await Promise.all(slow.map(raw))) expect(answer).toMatch(/^HTTP\/1\.1 408|^$/);
  });

  test("four hundred connections that say nothing keep no browser out for long", async () => {
    const port = Number(new URL(place.origin).port);
    const sockets = Array.from({ length: 400 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    const answer = async () => (await place.get("/health", {}).catch(() => undefined))?.status;
    await expect.poll(answer, { timeout: 30_000 }).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

test("three thousand senseless requests change nothing and break nothing", async () => {
  const found = await fuzz(3_000, 20_261_117);
  expect(found).toMatchObject({ broken: [], changed: [], failures: [], isThere: true });
  expect(Object.values(found.statuses).reduce((sum, count) => sum + count, 0)).toBe(3_000);
});

test("nothing went wrong inside", () => expect(place.failures).toEqual([]));
