import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { makeFolder } from "../../machine/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Answer } from "../happening.ts";
import { secretOf } from "./door-of.ts";
import { GO, LARGEST_QUESTION, lines, type Question, READY } from "./question.ts";
import { readQuestion } from "./read-question.ts";

export interface Door {
  close(): void;
}

/**
 * Called with a question that may yet be withdrawn: what it returns answers it. That gives up when the hook is gone: its host
 * stopped waiting, and our answer would not be heard.
 */
export type TakeQuestion = (question: Question, gone: AbortSignal) => () => Promise<Answer | undefined>;

/** A client that does not finish its question within this time is disconnected. */
const PATIENCE_MS = 5_000;
const MOST_GUESTS = 32;

/**
 * Answers hooks at this path until it is closed. The newest server of a session has the door. One that cannot be opened is
 * no loss: hooks find no server and do their work themselves.
 */
export async function openDoor(path: string, take: TakeQuestion): Promise<Door | undefined> {
  const secret = randomBytes(32).toString("hex");
  const server = createServer((socket) =>
    attend(socket, (question, gone) => {
      if (!isEqual(question.secret, secret)) throw new Error("the caller does not know the secret");
      return take(question, gone);
    }),
  );
  server.maxConnections = MOST_GUESTS;
  try {
    ownFolder(dirname(path));
    rmSync(path, { force: true });
    writeSecret(secretOf(path), secret);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } catch {
    return undefined;
  }
  server.on("error", () => {});
  server.unref(); // only the client keeps the process alive
  return {
    close: () => {
      server.close();
      rmSync(secretOf(path), { force: true });
    },
  };
}

/** No other user may look into it, no matter how it was made. */
function ownFolder(path: string): void {
  makeFolder(path, 0o700);
  const { uid, mode } = lstatSync(path);
  if (uid !== process.getuid?.()) throw new Error(`${path} belongs to another user`);
  if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function writeSecret(path: string, secret: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, secret, { mode: 0o600, flag: "wx" });
}

function isEqual(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function attend(socket: Socket, take: TakeQuestion): void {
  const gone = new AbortController();
  let answer: (() => Promise<Answer | undefined>) | undefined;
  let isAsked = false;
  let size = 0;
  const hear = lines((line) => {
    if (socket.destroyed) return;
    const question = answer ? undefined : readQuestion(line);
    if (question) {
      clearTimeout(tired);
      answer = taken(question);
      if (answer) socket.write(`${READY}\n`);
      else socket.destroy();
    } else if (answer && line === GO && !isAsked) {
      isAsked = true;
      void reply(answer);
    } else socket.destroy();
  });
  const tired = setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    size += chunk.length;
    if (size > LARGEST_QUESTION) socket.destroy();
    else hear(chunk);
  });
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => {
    clearTimeout(tired);
    gone.abort();
  });

  function taken(question: Question): typeof answer {
    try {
      return take(question, gone.signal);
    } catch {
      return undefined; // it makes no sense
    }
  }

  async function reply(asked: () => Promise<Answer | undefined>): Promise<void> {
    try {
      const told = await asked();
      socket.end(`${JSON.stringify(told ? { answer: told } : {})}\n`);
    } catch (error) {
      const isLocked = error instanceof StoreError && error.code === "busy";
      if (isLocked) socket.end(`${JSON.stringify({ failed: error.message })}\n`);
      else socket.destroy(); // the hook tries it itself and says what is wrong
    }
  }
}
