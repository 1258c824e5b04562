import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Answer } from "../happening.ts";
import { askServer } from "./ask-server.ts";
import { doorOf, openDoorOf, secretOf } from "./door-of.ts";
import { type Door, openDoor, type TakeQuestion } from "./open-door.ts";
import { QUESTION_VERSION, type Question } from "./question.ts";

let folder: string;
let path: string;
const doors: (Door | undefined)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "door-"));
  path = join(folder, "doors/d");
});
afterEach(() => {
  for (const door of doors.splice(0)) door?.close();
  rmSync(folder, { recursive: true, force: true });
});

const QUESTION: Question = {
  v: QUESTION_VERSION,
  host: "codex",
  event: "stop",
  session: "s",
  happening: { type: "stopped" },
  payload: {},
  secret: "",
  like: { place: "", all: [] },
};
const knocking = (question: Question = QUESTION): Question => ({
  ...question,
  secret: readFileSync(secretOf(path), "utf8"),
});
const GO_ON: Answer = { type: "go_on", reason: "Todos remain\nand so on" };

async function open(
  answer: (...told: Parameters<TakeQuestion>) => Promise<Answer | undefined>,
): Promise<Door | undefined> {
  const door = await openDoor(path, (question, gone) => () => answer(question, gone));
  doors.push(door);
  return door;
}

/** A server that speaks as it likes. */
async function openForeign(attend: (socket: Socket) => void): Promise<Server> {
  const server = createServer(attend);
  path = join(folder, "d");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  doors.push({ close: () => server.close() });
  return server;
}

test("a question is answered, or answered with nothing", async () => {
  const asked: Question[] = [];
  await open(async (question) => {
    asked.push(question);
    return asked.length === 1 ? GO_ON : undefined;
  });
  expect(await askServer(path, knocking())).toEqual({ answer: GO_ON });
  expect(await askServer(path, knocking())).toEqual({});
  expect(asked).toEqual([knocking(), knocking()]);
});

test("only the owner may come in, and a closed door is gone", async () => {
  const door = await open(async () => undefined);
  expect(statSync(join(folder, "doors")).mode & 0o777).toBe(0o700);
  expect(statSync(secretOf(path)).mode & 0o777).toBe(0o600);
  door?.close();
  expect([existsSync(path), existsSync(secretOf(path))]).toEqual([false, false]);
  expect(await askServer(path, QUESTION)).toBeUndefined();
});

test("a file that stayed behind does not answer, and the next server takes its place", async () => {
  await open(async () => undefined);
  rmSync(path);
  writeFileSync(path, "");
  expect(await askServer(path, QUESTION)).toBeUndefined();
  await open(async () => GO_ON);
  expect(await askServer(path, knocking())).toEqual({ answer: GO_ON });
});

test("a server that fails leaves it to the hook", async () => {
  await open(() => Promise.reject(new Error("the log is newer")));
  expect(await askServer(path, QUESTION)).toBeUndefined();
});

test("a server of another release is not asked", async () => {
  let asked = 0;
  await open(async () => {
    asked++;
    return undefined;
  });
  expect(await askServer(path, { ...knocking(), v: 99 as typeof QUESTION_VERSION })).toBeUndefined();
  expect(asked).toBe(0);
});

test("a server that does not wake up in time does nothing when it does", async () => {
  const heard: string[] = [];
  await openForeign((socket) => socket.setEncoding("utf8").on("data", (chunk: string) => heard.push(chunk)));
  expect(await askServer(path, QUESTION)).toBeUndefined();
  expect(heard.join("")).toBe(`${JSON.stringify(QUESTION)}\n`); // and no "go": without it nothing happens
});

test("a server that sends invalid JSON counts as no server", async () => {
  await openForeign((socket) => socket.end("ready\nhello?\n"));
  expect(await askServer(path, QUESTION)).toBeUndefined();
});

test("a question that makes no sense is hung up on, and the server lives on", async () => {
  let asked = 0;
  doors.push(
    await openDoor(path, ({ payload }) => {
      asked++;
      return payload.cwd === undefined ? async () => GO_ON : async () => undefined;
    }),
  );
  expect(await askServer(path, { ...knocking(), payload: null as unknown as Question["payload"] })).toBeUndefined();
  expect(await askServer(path, knocking())).toEqual({ answer: GO_ON });
  expect(asked).toBe(1);
});

test("nonsense, and a question without end, are hung up on", async () => {
  let asked = 0;
  await open(async () => {
    asked++;
    return undefined;
  });
  expect(await askServer(path, "nonsense" as unknown as Question)).toBeUndefined();
  expect(await askServer(path, { ...knocking(), session: "x".repeat(2 * 1024 * 1024) })).toBeUndefined();
  expect(asked).toBe(0);
});

test("the server that answers hears that the hook is gone", async () => {
  const told = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<string>();
  await open(async (_question, signal) => {
    signal.addEventListener("abort", ({ type }) => gone.resolve(type));
    told.resolve();
    await gone.promise;
    return undefined;
  });
  const { connect } = await import("node:net");
  const socket = connect(path, () => socket.write(`${JSON.stringify(knocking())}\ngo\n`));
  await told.promise;
  socket.destroy();
  expect(await gone.promise).toBe("abort");
});

test("a session has a door of its own, and a place too deep has none", () => {
  const at = doorOf("/state", "codex", "a");
  expect(at).toMatch(/^\/state\/doors\/[a-p]{16}$/);
  expect(new Set([at, doorOf("/state", "codex", "b"), doorOf("/state", "gemini", "a")]).size).toBe(3);
  expect(doorOf(`/${"deep/".repeat(20)}`, "codex", "a")).toBeUndefined();
  expect(openDoorOf(folder, "codex", "a")).toBeUndefined();
});
