import { Transform } from "node:stream";

/** The largest of our messages, a list of a hundred todos with their checks, has a quarter of it. */
export const LARGEST_MESSAGE = 4 * 1024 * 1024;

/**
 * Passes a client's messages on, line by line. One that is too large is answered with an error and left out: the protocol's own
 * reader would end the server without a word.
 */
export function boundedLines(refuse: (answer: string) => void, largest = LARGEST_MESSAGE): Transform {
  let pieces: Buffer[] = [];
  let size = 0;
  let head = "";

  function end(): Buffer | undefined {
    const line = size > largest ? undefined : Buffer.concat(pieces);
    if (line === undefined) refuse(tooLarge(head, size));
    pieces = [];
    size = 0;
    head = "";
    return line;
  }

  function add(piece: Buffer): void {
    if (head.length < HEAD) head += piece.toString("latin1", 0, HEAD);
    size += piece.length;
    if (size <= largest) pieces.push(piece);
    else pieces = [];
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(10, from);
        add(chunk.subarray(from, at < 0 ? chunk.length : at + 1));
        if (at < 0) break;
        const line = end();
        if (line) this.push(line);
        from = at + 1;
      }
      done();
    },
    flush(done) {
      const line = size > 0 ? end() : undefined;
      if (line) this.push(line);
      done();
    },
  });
}

/** Where the id of a request usually stands. */
const HEAD = 2_000;

function tooLarge(head: string, size: number): string {
  const id = /"id"\s*:\s*(\d{1,15}|"[\w.-]{1,100}")/.exec(head)?.[1] ?? "null";
  const message = `A message of ${size} bytes is too large; tildone takes at most ${LARGEST_MESSAGE}.`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`;
}
