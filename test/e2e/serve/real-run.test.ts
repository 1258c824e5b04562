import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Answered, Board, DiffShown, RunPage, Saying } from "../../../src/serve/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { type ModelRequest, type Step, startScriptedModel } from "../../../src/testing/index.ts";
import { aPlace, type Place } from "../agent/tildone.ts";
import { writeList } from "../pi/models.ts";
import { openTab } from "./browser-place.ts";
import { noChromium, openChromium } from "./chromium.ts";

const LONG = { timeout: 180_000 };
const model = (url: string) => ["--base-url", `${url}/v1`, "--model", "scripted", "--approval", "auto-edit"];

/** One todo, and these commands for it, one after the other; each asks first. */
const wanting =
  (...commands: readonly string[]) =>
  (request: ModelRequest): Step => {
    const done = request.messages.filter(({ role }) => role === "tool").length;
    if (done === 0) return { calls: [writeList(1)] };
    if (done <= commands.length) return { calls: [["bash", { command: commands[done - 1]! }]] };
    if (done === commands.length + 1) return { calls: [["edit_todos", { action: "complete", indices: [0] }]] };
    return { text: "done" };
  };

async function serving(place: Place, port: number) {
  const server = place.start("serve", "--json", "--port", String(port));
  const [line] = await server.printed(/^\{"type":"serving".*\}$/m);
  return { ...server, ...(JSON.parse(line) as { address: string; port: number; pair: string }) };
}

async function answers(place: Place): Promise<readonly string[]> {
  const store = await openStore({ path: place.database });
  try {
    const [card] = store.runs.list();
    return store.log
      .read(card!.run, 0)
      .events.flatMap(({ event }) => (event.type === "approval.answered" ? [`${event.call} ${event.outcome}`] : []));
  } finally {
    store.close();
  }
}

describe.skipIf(noChromium !== undefined)("a real run, answered from the page", () => {
  test("the call runs right after the click, and the next one asks again", LONG, async () => {
    await using place = aPlace();
    const provider = await startScriptedModel(wanting("echo one > one.txt", "echo two > two.txt"));
    const run = place.start("run", "make two files", ...model(provider.url));
    await run.printed(/needs your approval|tildone approve/);
    const server = await serving(place, 0);
    const browser = await openChromium();
    const { page } = await openTab(browser, server.pair);
    const took: number[] = [];
    for (const name of ["one", "two"]) {
      const card = page.locator(".ask", { hasText: `${name}.txt` });
      await card.waitFor();
      const made = new Promise<number>((done) => {
        const watcher = watch(place.project, () => {
          if (!existsSync(join(place.project, `${name}.txt`))) return;
          watcher.close();
          done(performance.now());
        });
      });
      const button = card.getByRole("button", { name: "Approve" });
      await button.hover();
      const clicked = performance.now();
      await button.click();
      took.push((await made) - clicked);
    }
    await run.ended;
    await browser.close();
    await provider.close();
    console.log(`from the click to the file: ${took.map((ms) => `${Math.round(ms)} ms`).join(", ")}`);
    // A machine that is busy with other tests is slower; the limit of 500 ms is the bench's.
    for (const ms of took) expect(ms).toBeLessThan(Number(process.env.TILDONE_CLICK_MS ?? 5_000));
  });

  test(
    "kill -9 of the server around the click: nothing is lost, nothing runs twice, the page recovers by itself",
    LONG,
    async () => {
      await using place = aPlace();
      const commands = Array.from({ length: 5 }, (_, at) => `echo ${at} >> log.txt`);
      const provider = await startScriptedModel(wanting(...commands));
      const run = place.start("run", "append five lines", ...model(provider.url));
      await run.printed(/needs your approval|tildone approve/);
      let server = await serving(place, 0);
      const browser = await openChromium();
      const { page } = await openTab(browser, server.pair);
      for (const [at, command] of commands.entries()) {
        const button = page.locator(".ask", { hasText: command }).getByRole("button", { name: "Approve" });
        await button.waitFor();
        if (at === 0) {
          server.child.kill("SIGKILL");
          await server.ended;
          await button.click();
          await page.getByText(/1 action of yours not sent yet/).waitFor();
        } else {
          const clicked = button.click();
          await new Promise((done) => setTimeout(done, at * 12)); // before, while and after it is answered
          server.child.kill("SIGKILL");
          await Promise.all([clicked.catch(() => {}), server.ended]);
        }
        server = await serving(place, server.port);
        await expect.poll(() => readIfThere(join(place.project, "log.txt")).length).toBe(at + 1);
      }
      await run.ended;
      expect(readIfThere(join(place.project, "log.txt"))).toEqual(["0", "1", "2", "3", "4"]);
      expect((await answers(place)).map((answer) => answer.split(" ")[1])).toEqual(Array(5).fill("once"));
      await browser.close();
      await provider.close();
    },
  );
});

const readIfThere = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];

test("what a todo changed is shown, taken back and put back by the page", LONG, async () => {
  await using place = aPlace({ TILDONE_CHECKPOINTS: "true" });
  writeFileSync(join(place.project, "one.txt"), "before\n");
  const provider = await startScriptedModel([
    { calls: [["write_todos", { mode: "replace", todos: [{ text: "Write one" }] }]] },
    {
      calls: [
        ["edit_todos", { action: "start", indices: [0] }],
        ["write", { path: "one.txt", content: "after\n" }],
        ["edit_todos", { action: "complete", indices: [0] }],
      ],
    },
    { text: "Done." },
  ]);
  await place.tildone("run", "write a file", ...model(provider.url));
  await provider.close();
  const server = await serving(place, 0);
  const headers = { "content-type": "application/json" };
  const code = /#pair=(.*)$/.exec(server.pair)![1]!;
  const paired = await fetch(`${server.address}/api/pair`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const authorization = `Bearer ${((await paired.json()) as { token: string }).token}`;
  const get = async <T>(path: string) =>
    (await (await fetch(`${server.address}${path}`, { headers: { authorization } })).json()) as T;
  const { rows } = await get<Board>("/api/board");
  const run = rows[0]!.run;
  const tell = async (saying: Saying) => {
    const body = JSON.stringify({ id: `click-${saying.type}-1`, saying });
    const init = { method: "POST", headers: { ...headers, authorization }, body };
    return (await (await fetch(`${server.address}/api/runs/${run}/tell`, init)).json()) as Answered;
  };
  const page = () => get<RunPage>(`/api/runs/${run}`);
  const [todo] = (await page()).todos;
  expect(todo).toMatchObject({ status: "completed", changes: { files: 1, added: 1, removed: 1 } });
  const diff = await get<DiffShown>(`/api/runs/${run}/diff/${todo!.id}`);
  expect(diff.files).toEqual([{ path: "one.txt", added: 1, removed: 1 }]);
  expect(diff.diff).toContain("-before\n+after");
  expect(await tell({ type: "undo", todo: todo!.id })).toMatchObject({ status: "done" });
  expect(readFileSync(join(place.project, "one.txt"), "utf8")).toBe("before\n");
  expect((await page()).todos[0]).not.toHaveProperty("changes");
  expect(await tell({ type: "undo", todo: todo!.id })).toEqual({ status: "done", text: "Done." }); // the same click again
  expect(await tell({ type: "redo" })).toMatchObject({ status: "done" });
  expect(readFileSync(join(place.project, "one.txt"), "utf8")).toBe("after\n");
  server.child.kill("SIGTERM");
  await server.ended;
});

describe("bad use says one clear sentence", () => {
  test("a port that is taken, one that does not exist, an address of another machine", LONG, async () => {
    await using place = aPlace();
    const server = await serving(place, 0);
    const taken = await place.tildone("serve", "--port", String(server.port));
    expect(taken).toMatchObject({ code: 1, out: "" });
    expect(taken.err).toMatch(
      new RegExp(`^tildone: Port ${server.port} is taken\\. .*tildone serve --pair --port ${server.port}\\. `),
    );
    const another = await place.tildone("serve", "--pair", "--port", String(server.port));
    expect(another).toMatchObject({ code: 0, err: "" });
    expect(await place.tildone("serve", "--port", "70000")).toMatchObject({ code: 2 });
    expect(await place.tildone("serve", "--port", "x")).toMatchObject({ code: 2 });
    const elsewhere = await place.tildone("serve", "--listen", "192.0.2.1");
    expect([elsewhere.code, elsewhere.err]).toEqual([
      1,
      "tildone: This machine has no address 192.0.2.1. Without --listen it is 127.0.0.1.\n",
    ]);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
    const alone = await place.tildone("serve", "--pair", "--port", String(server.port));
    expect(alone.err).toContain(`Start it: tildone serve --port ${server.port}\n`);
  });

  test("without a browser the address is there to be opened by hand", LONG, async () => {
    await using place = aPlace({ PATH: "/nonexistent" });
    const server = place.start("serve", "--open", "--port", "0");
    await server.printed(/Open this to pair a browser: http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+/);
    server.child.kill("SIGINT");
    const { err } = await server.ended;
    expect(err).toBe("No program here opens a browser. Open the address above yourself.\n");
  });

  test("a store that is not there yet is an empty page; one of a later version is refused", LONG, async () => {
    await using place = aPlace();
    const server = await serving(place, 0);
    expect(existsSync(place.database)).toBe(true);
    server.child.kill("SIGTERM");
    await server.ended;
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(place.database);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const later = await place.tildone("serve", "--port", "0");
    expect([later.code, later.out]).toEqual([1, ""]);
    expect(later.err.trimEnd().split("\n").length).toBe(1);
    expect(later.err).toMatch(/newer/);
  });

  test("devices are listed and taken away by a command", LONG, async () => {
    await using place = aPlace();
    const server = await serving(place, 0);
    const code = /#pair=(.*)$/.exec(server.pair)![1]!;
    const paired = await fetch(`${server.address}/api/pair`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const { token } = (await paired.json()) as { token: string };
    const board = () => fetch(`${server.address}/api/board`, { headers: { authorization: `Bearer ${token}` } });
    expect((await board()).status).toBe(200);
    const listed = await place.tildone("serve", "--devices");
    const [id] = listed.out.split(" ");
    expect(listed.out).toMatch(/^[a-f0-9]{16} {2}A browser, paired .* ago, last seen .* ago\n$/);
    expect(await place.tildone("serve", "--revoke", id!.slice(0, 6))).toMatchObject({ code: 0 });
    expect((await board()).status).toBe(401);
    expect(await place.tildone("serve", "--revoke", "zzz")).toMatchObject({ code: 2 });
    const again = await place.tildone("serve", "--pair", "--json", "--port", String(server.port));
    expect(JSON.parse(again.out).pair).toContain(`${server.address}/#pair=`);
    await new Promise<void>((done) => connect(server.port, "127.0.0.1", () => done()).unref());
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
