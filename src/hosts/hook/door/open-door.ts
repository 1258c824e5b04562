import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { makeFolder } from "../../../machine/index.ts";
import type { Answer } from "../happening.ts";
import { GO, lines, QUESTION_VERSION, type Question, READY } from "./question.ts";

export interface Door {
  close(): void;
}

/**
 * Called with a question that may yet be withdrawn: what it returns answers it. That gives up when the hook is gone: its host
 * stopped waiting, and whatever we say is heard by nobody.
 */
export type TakeQuestion = (question: Question, gone: AbortSignal) => () => Promise<Answer | undefined>;

/** A question holds what a tool printed; nothing larger is read. */
const LARGEST_QUESTION = 32 * 1024 * 1024;

/**
 * Answers hooks at this path until it is closed. The newest server of a session has the door. One that cannot be opened is
 * no loss: hooks find nobody and do their work themselves.
 */
export async function openDoor(path: string, take: TakeQuestion): Promise<Door | undefined> {
  const server = createServer((socket) => attend(socket, take));
  try {
    makeFolder(dirname(path), 0o700);
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } catch {
    return undefined;
  }
  server.on("error", () => {});
  server.unref(); // the client keeps the process, nobody else
  return { close: () => server.close() };
}

function attend(socket: Socket, take: TakeQuestion): void {
  const gone = new AbortController();
  let answer: (() => Promise<Answer | undefined>) | undefined;
  let isAsked = false;
  let size = 0;
  const hear = lines((line) => {
    const question = answer ? undefined : parsed(line);
    if (question) {
      answer = taken(question);
      if (answer) socket.write(`${READY}\n`);
      else socket.destroy();
    } else if (answer && line === GO && !isAsked) {
      isAsked = true;
      void reply(answer);
    } else socket.destroy();
  });
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    size += chunk.length;
    if (size > LARGEST_QUESTION) socket.destroy();
    else hear(chunk);
  });
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => gone.abort());

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
    } catch {
      socket.destroy(); // the hook tries it itself and says what is wrong
    }
  }
}

function parsed(line: string): Question | undefined {
  try {
    const question = JSON.parse(line) as Question | null;
    return question?.v === QUESTION_VERSION ? question : undefined;
  } catch {
    return undefined;
  }
}
