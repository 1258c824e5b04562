import { connect } from "node:net";
import { type Answered, GO, LARGEST_QUESTION, lines, type Question, READY } from "./question.ts";

/** A server that takes longer to say that it is there is busy, or stopped: the hook does its work itself. */
const PATIENCE_MS = 250;

/**
 * Asks the server behind this door. Undefined: no server answered, and none has done anything: a question counts from the
 * moment at which both sides have said that they are there. Only a server that dies between its work and its answer leaves
 * that open; a hook that asks again meets a boundary that was told already.
 */
export function askServer(door: string, question: Question, gone?: AbortSignal): Promise<Answered | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answered | undefined>();
  const line = `${JSON.stringify(question)}\n`;
  if (Buffer.byteLength(line) > LARGEST_QUESTION) return Promise.resolve(undefined);
  const socket = connect(door);
  const tired = setTimeout(() => socket.destroy(), PATIENCE_MS);
  gone?.addEventListener("abort", () => socket.destroy()); // the server gives up with it
  socket.setEncoding("utf8");
  socket.on("connect", () => socket.write(line));
  socket.on("data", lines(hear));
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => {
    clearTimeout(tired);
    resolve(undefined); // unless it was answered
  });
  return promise;

  function hear(line: string): void {
    if (line === READY) {
      clearTimeout(tired);
      socket.write(`${GO}\n`);
    } else {
      resolve(answerIn(line));
      socket.destroy();
    }
  }
}

function answerIn(line: string): Answered | undefined {
  try {
    return JSON.parse(line) as Answered;
  } catch {
    return undefined; // a server that says that is not ours
  }
}
