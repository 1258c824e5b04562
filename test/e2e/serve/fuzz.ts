// Sends senseless requests: `node test/e2e/serve/fuzz.ts --requests 50000 --seed 7`. Whatever they are, the server
// answers each with a status below 500 or closes the connection, no run changes, and it is there afterwards.

import { connect } from "node:net";
import { commandOptions } from "../../builders/command-options.ts";
import { type AServer, aServer } from "./a-server.ts";
import { aDay } from "./runs.ts";

export interface Fuzzed {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests that the server answered with an error of its own. */
  readonly broken: readonly string[];
  readonly changed: readonly string[];
  readonly isThere: boolean;
  readonly failures: readonly string[];
}

export async function fuzz(requests: number, seed: number): Promise<Fuzzed> {
  await using place = await aServer({ patienceMs: 1_000 });
  aDay(place.store);
  const before = place.store.runs.positions();
  const random = mulberry(seed);
  const statuses: Record<string, number> = {};
  const broken: string[] = [];
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const text = requestOf(random, place);
      const status = await sent(text, Number(new URL(place.origin).port));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (/^5/.test(status)) broken.push(`${status} ${JSON.stringify(text.slice(0, 300))}`);
    }
  };
  await Promise.all(Array.from({ length: 96 }, worker));
  const after = place.store.runs.positions();
  const changed = [...before].flatMap(([run, seq]) => (after.get(run) === seq ? [] : [run]));
  const isThere = (await place.get("/health")).status === 200 && (await place.get("/api/board")).status === 200;
  return {
    sent: requests,
    statuses,
    broken: broken.slice(0, 10),
    changed,
    isThere,
    failures: place.failures.slice(0, 10),
  };
}

type Random = () => number;
const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)]!;

/** Bytes of a request: mostly nearly right, because what is all wrong is refused at once. It never holds a valid order with a valid token. */
function requestOf(random: Random, { headers, origin }: AServer): string {
  const host = new URL(origin).host;
  const method = pick(random, [
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "HEAD",
    "PATCH",
    "TRACE",
    "get",
    "G\u0000T",
    "CONNECT",
  ]);
  const path = pick(random, [
    ...[
      "/",
      "/runs",
      "/api/board",
      "/api/events",
      "/api/runs/shop-vat1",
      "/api/runs/shop-vat1/tell",
      "/api/pair",
      "/api/devices",
    ],
    ...[
      "/../../etc/passwd",
      "/assets/..%2f..%2fpackage.json",
      "/api/runs/%00/tell",
      "/api/runs/../../x",
      "//evil.example/",
      "/api/devices/../x",
    ],
    ...[
      `/${junk(random, 40)}`,
      `/api/${junk(random, 200)}`,
      `/api/runs/${encodeURIComponent(junk(random, 60))}/diff/${encodeURIComponent(junk(random, 20))}`,
      "*",
      "http://evil.example/api/board",
    ],
  ]);
  const isTrusted = random() < 0.4;
  const body = pick(random, [
    ...[
      "",
      "{}",
      "[]",
      "null",
      '{"code":',
      '{"id":"abcdefgh","saying":{"type":"nothing"}}',
      '{"id":1,"saying":{"type":"hold"}}',
      '{"__proto__":{"x":1}}',
    ],
    ...[
      `{"code":"${junk(random, 22)}"}`,
      `{"id":"abcdefgh","saying":{"type":"answer","ask":"${junk(random, 64)}","outcome":"edited"}}`,
      junk(random, 3000),
      `{"a":${"[".repeat(500)}`,
    ],
    '{"id":"abcdefgh","saying":{"type":"constructor"}}',
  ]);
  const lines = [
    `${method} ${path} HTTP/${pick(random, ["1.1", "1.1", "1.1", "1.0", "2.0", "9"])}`,
    ...(random() < 0.9
      ? [`Host: ${pick(random, [host, host, host, "evil.example", "127.0.0.1", junk(random, 20)])}`]
      : []),
    ...(isTrusted
      ? [`Authorization: ${headers.authorization}`]
      : random() < 0.5
        ? [`Authorization: ${pick(random, ["Bearer", "Bearer x", `Bearer ${junk(random, 60)}`, "Basic YTph"])}`]
        : []),
    ...(random() < 0.4
      ? [`Origin: ${pick(random, ["http://evil.example", "null", `http://${host}`, junk(random, 20)])}`]
      : []),
    ...(random() < 0.3
      ? [`Sec-Fetch-Site: ${pick(random, ["cross-site", "same-origin", "none", junk(random, 8)])}`]
      : []),
    ...(random() < 0.7
      ? [
          `Content-Type: ${pick(random, ["application/json", "application/json; charset=x", "text/plain", "multipart/form-data", junk(random, 12)])}`,
        ]
      : []),
    ...(random() < 0.2 ? [`Last-Event-ID: ${junk(random, 40)}`] : []),
    ...(random() < 0.1
      ? ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
      : ["Connection: close"]),
    ...(random() < 0.1 ? [`X-${junk(random, 10).replaceAll(/[^a-z]/g, "")}: ${junk(random, 5000)}`] : []),
    `Content-Length: ${random() < 0.9 ? Buffer.byteLength(body) : pick(random, ["-1", "999999999", "0", "x"])}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

function junk(random: Random, most: number): string {
  const signs = "abcxyz019-_./%<>\"'`{}[]:;,\u0001\u007fé😀 ";
  return Array.from({ length: Math.floor(random() * most) }, () => pick(random, [...signs])).join("");
}

/** The status, or how the connection ended. A stream is left as soon as it has begun. */
function sent(text: string, port: number): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setTimeout(6_000, () => end("silent"));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      if (status !== undefined && status !== "100") end(status);
    });
    socket.on("error", () => end("closed"));
    socket.on("close", () => end("closed"));
    function end(how: string): void {
      socket.destroy();
      done(how);
    }
  });
}

/** A small generator of numbers from a seed: what breaks is sent again. */
function mulberry(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const HELP = `Sends broken and hostile requests to the server of the page.

  npm run test:fuzz-serve -- --requests 50000   so many (50000)

  --seed <n>   which ones (1)

It exits with 1 where one was let in, changed something or broke the server.`;

if (import.meta.main) {
  const values = commandOptions({
    help: HELP,
    whole: ["requests", "seed"],
    options: { requests: { type: "string", default: "50000" }, seed: { type: "string", default: "1" } },
  });
  const found = await fuzz(Number(values.requests), Number(values.seed));
  console.log(JSON.stringify(found, null, 2));
  process.exit(found.broken.length + found.changed.length + found.failures.length === 0 && found.isThere ? 0 : 1);
}
