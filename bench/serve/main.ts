import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { evolve, type RunEvent } from "../../src/core/run/index.ts";
import { cardOf, openRun, type Store } from "../../src/engine/index.ts";
import { openStore } from "../../src/store/index.ts";
import { commandOptions } from "../../test/builders/command-options.ts";
import { openTab } from "../../test/e2e/serve/browser-place.ts";
import { noChromium, openChromium } from "../../test/e2e/serve/chromium.ts";
import { aLife, anApproval, asking, keep } from "../../test/e2e/serve/runs.ts";
import { median, p95 } from "../harness.ts";
import { cpuShare, pause, residentMemory } from "../process-usage.ts";

const HELP = `Measures \`tildone serve\` over 1,000 runs and 100,000 events, with 2 browsers and 18 event streams: what a person would
notice, beside a static page of the same size as floor.

  npm run bench:serve -- --minutes 10   for so long (1)

  --runs <n>   over so many runs (1000)

It exits with 1 where a target is missed, and with 2 without a browser.`;

const values = commandOptions({
  help: HELP,
  whole: ["minutes", "runs"],
  options: { minutes: { type: "string", default: "1" }, runs: { type: "string", default: "1000" } },
});
const [MINUTES, RUNS] = [Number(values.minutes), Number(values.runs)];
const EVENTS_EACH = 100;
const STREAMS = 18;
const LOADS = 7;
const APPENDS = 60;

if (noChromium !== undefined) {
  console.error(`This needs a browser: ${noChromium}.`);
  process.exit(2);
}
const rows: Measured[] = [];
const lastCalls = new Map<string, string>();
let lastAddress = "";
const home = mkdtempSync(join(tmpdir(), "tildone-bench-serve-"));
const started: ChildProcess[] = [];
const streams = new AbortController();
try {
  await measure();
} finally {
  streams.abort();
  for (const child of started) child.kill("SIGTERM");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(): Promise<void> {
  const store = await openStore({ path: join(home, "tildone.db"), durable: "at close" });
  const events = seed(store);
  console.log(`${RUNS} runs, ${events} events, 2 browsers, ${STREAMS} event streams\n`);
  const { child, pair, address } = await serve();
  const browser = await openChromium();
  const [one, two] = [await openTab(browser, pair), await openTab(browser, await anotherCode())];
  const token = await one.page.evaluate(() => sessionStorage.getItem("tildone.token"));
  const heard = Array.from({ length: STREAMS }, () => listen(address, token!));

  const floor = await staticFloor(browser, address, token!);
  const first = await loads(one.page, `${address}/`, ".ask");
  row(
    "first view of the inbox, median",
    median(first),
    "ms",
    1000,
    `static page of the same size: ${median(floor).toFixed(0)} ms`,
  );
  row("first view of the inbox, slowest", Math.max(...first), "ms", 1000);

  const seen = await appendAndSee(store, [one.page, two.page]);
  row("an event is on the page, p95", p95(seen), "ms", 300, `median ${median(seen).toFixed(0)} ms`);
  const late = await appendAndHear(store, heard);
  row("an event is on all streams, p95", p95(late), "ms", 300);

  const idle = await cpuShare(child.pid!, 20_000);
  row("CPU while nothing happens", idle * 100, "%", 3);
  const memory = await memoryOver(store, child.pid!, MINUTES * 60_000);
  row(
    `memory after ${MINUTES} min of 5 events a second`,
    memory.last - memory.first,
    "MiB more",
    20,
    `${memory.first.toFixed(0)} to ${memory.last.toFixed(0)} MiB`,
  );
  await browser.close();
  store.close();
  mkdirSync("bench/results", { recursive: true });
  writeFileSync("bench/results/serve.json", `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`);
}

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost: number;
}
function row(name: string, value: number, unit: string, atMost: number, beside = ""): void {
  rows.push({ name, value, unit, atMost });
  const met = value <= atMost;
  if (!met) process.exitCode = 1;
  console.log(
    `${met ? "ok  " : "MISS"} ${name.padEnd(42)} ${value.toFixed(1).padStart(8)} ${unit} (at most ${atMost})${beside === "" ? "" : `; ${beside}`}`,
  );
}

/** Most runs ended; some work; twenty wait for an answer. */
function seed(store: Store): number {
  let events = 0;
  const day = 86_400_000;
  for (let at = 0; at < RUNS; at++) {
    const now = Date.now() - (at % 6) * day - at * 1_000;
    const life = aLife({
      run: `run-${String(at).padStart(4, "0")}`,
      goal: `Goal number ${at}: make the tests of part ${at % 37} pass`,
      cwd: `/home/you/project-${at % 40}`,
      now,
    });
    life.writes("read", "change", "test").starts(0);
    while (life.envelopes.length < EVENTS_EACH - 2) life.works();
    if (at % 50 === 0) asking(life, anApproval(`call-${at}`, `npm publish --tag part-${at}`));
    else if (at % 4 !== 0) life.completes(0, 1, 2).ends({ workspace: "w" });
    keep(store, life);
    events += life.envelopes.length;
  }
  return events;
}

async function serve(): Promise<{ child: ChildProcess; pair: string; address: string }> {
  const child = spawn(process.execPath, [resolve("bin/tildone.js"), "serve", "--json", "--port", "0"], {
    env: { ...process.env, TILDONE_HOME: home, HOME: home },
  });
  started.push(child);
  let out = "";
  for await (const chunk of child.stdout!) {
    out += chunk;
    if (out.includes("\n")) break;
  }
  const { pair, address } = JSON.parse(out.split("\n")[0]!) as { pair: string; address: string };
  lastAddress = address;
  return { child, pair, address };
}

async function anotherCode(): Promise<string> {
  const port = new URL(lastAddress).port;
  const child = spawn(process.execPath, [resolve("bin/tildone.js"), "serve", "--pair", "--json", "--port", port], {
    env: { ...process.env, TILDONE_HOME: home, HOME: home },
  });
  let out = "";
  for await (const chunk of child.stdout!) out += chunk;
  return (JSON.parse(out) as { pair: string }).pair;
}

/** When each change was heard, by the text of the change. */
function listen(address: string, token: string): { readonly at: Map<string, number> } {
  const at = new Map<string, number>();
  void (async () => {
    const response = await fetch(`${address}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: streams.signal,
    });
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()))
      for (const [, call] of chunk.matchAll(/stream-call-(\d+)/g)) if (!at.has(call!)) at.set(call!, performance.now());
  })().catch(() => {});
  return { at };
}

async function loads(page: Page, address: string, shown: string): Promise<readonly number[]> {
  const took: number[] = [];
  for (let at = 0; at < LOADS; at++) {
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForSelector(shown);
    took.push(await page.evaluate(() => performance.now()));
  }
  return took;
}

/** The same bytes without anything to do: a page, a script and a file of data, as they are. */
async function staticFloor(browser: Browser, address: string, token: string): Promise<readonly number[]> {
  const html = await (await fetch(`${address}/`)).text();
  const script = /src="(\/assets\/[^"]+)"/.exec(html)![1]!;
  const code = await (await fetch(`${address}${script}`)).text();
  const data = await (await fetch(`${address}/api/board`, { headers: { authorization: `Bearer ${token}` } })).text();
  const page = `<!doctype html><script src="/code.js"></script><script>fetch("/data").then(r=>r.text()).then(t=>{document.body.innerHTML="<p class=shown>"+t.length})</script><body>`;
  const server = createServer((request, response) => {
    const [type, body] =
      request.url === "/code.js"
        ? ["text/javascript", `/*${code.replaceAll("*/", "")}*/`]
        : request.url === "/data"
          ? ["application/json", data]
          : ["text/html", page];
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const context = await browser.newContext();
  const took = await loads(
    await context.newPage(),
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ".shown",
  );
  await context.close();
  server.close();
  return took;
}

/** From the append, by another process, to the element on both pages. */
async function appendAndSee(store: Store, pages: readonly Page[]): Promise<readonly number[]> {
  const took: number[] = [];
  for (const page of pages) await page.waitForSelector(".ask");
  for (let at = 0; at < APPENDS; at++) {
    const mark = `see-me-${at}`;
    const seen = pages.map((page) =>
      page.evaluate(
        (text) =>
          new Promise<number>((done, fail) => {
            setTimeout(() => fail(new Error(`${text} did not appear`)), 10_000);
            const look = () => {
              if (!document.body.textContent?.includes(text)) return;
              watcher.disconnect();
              done(Date.now());
            };
            const watcher = new MutationObserver(look);
            watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
            look();
          }),
        mark,
      ),
    );
    await pause(50 + (at % 7) * 13);
    const began = Date.now();
    append(store, `run-${String((at % 20) * 50).padStart(4, "0")}`, `call-see-${at}`, mark);
    for (const time of await Promise.all(seen)) took.push(time - began);
  }
  return took;
}

async function appendAndHear(
  store: Store,
  heard: readonly { readonly at: Map<string, number> }[],
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let at = 0; at < APPENDS; at++) {
    const began = performance.now();
    append(store, `run-${String((at % 20) * 50).padStart(4, "0")}`, `stream-call-${at}`, `stream-call-${at}`);
    while (heard.some((stream) => !stream.at.has(String(at)))) {
      await pause(2);
      if (performance.now() - began > 10_000) throw new Error("a stream did not hear of an event for 10 s");
    }
    took.push(Math.max(...heard.map((stream) => stream.at.get(String(at))!)) - began);
  }
  return took;
}

/** As the process that works on the run would: the call asks, and the one that asked before is answered. */
function append(store: Store, run: string, call: string, what: string): void {
  const before = lastCalls.get(run) ?? `call-${Number(run.slice(4))}`;
  put(store, run, { type: "approval.requested", approval: anApproval(call, what) });
  put(store, run, { type: "approval.answered", call: before, outcome: "once", words: "" });
  lastCalls.set(run, call);
}

function put(store: Store, run: string, event: RunEvent): void {
  const { run: before, seq } = openRun(store.log, run);
  const added = { at: Date.now(), by: "engine", v: 1, event } as const;
  const card = cardOf(evolve(before, { ...added, seq: seq + 1 }), Date.now());
  store.log.transact(run, seq, () => ({ append: [added], value: undefined, card }));
}

async function memoryOver(store: Store, pid: number, ms: number): Promise<{ first: number; last: number }> {
  const samples: number[] = [];
  const began = performance.now();
  for (let at = 0; performance.now() - began < ms; at++) {
    append(store, `run-${String((at % 20) * 50).padStart(4, "0")}`, `memory-${at}`, `memory ${at}`);
    if (at % 5 === 0) samples.push(residentMemory(pid));
    await pause(200);
  }
  const part = Math.max(3, Math.floor(samples.length / 5));
  return { first: median(samples.slice(0, part)), last: median(samples.slice(-part)) };
}
