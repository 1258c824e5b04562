import type { LiveBoard, NamedChange } from "./board.ts";

export interface Streams {
  /** A stream that begins after `last`, or undefined where there are too many. */
  open(device: string, last: string | undefined): ReadableStream<Uint8Array> | undefined;
  /** Ends the streams of devices that are not allowed any more. */
  endAll(isAllowed: (device: string) => boolean): void;
  beat(): void;
  count(): number;
}

/** Who does not read what it is sent is cut off at so many bytes; its browser comes back with the position it has. */
const MOST_UNREAD = 1024 * 1024;
const encoder = new TextEncoder();

export function createStreams(board: LiveBoard, most: number): Streams {
  const open = new Set<{ readonly device: string; readonly send: (text: string) => void; readonly end: () => void }>();
  return {
    count: () => open.size,
    beat: () => {
      for (const { send } of open) send(": still here\n\n");
    },
    endAll: (isAllowed) => {
      for (const { device, end } of [...open]) if (!isAllowed(device)) end();
    },
    open(device, last) {
      if (open.size >= most) return undefined;
      let end = (): void => {};
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const unheard = board.listen((change) => send(written(change)));
            const stream = { device, send, end: () => end() };
            let isOver = false;
            end = () => {
              if (isOver) return;
              isOver = true;
              unheard();
              open.delete(stream);
              try {
                controller.close();
              } catch {
                // it was cancelled by its reader
              }
            };
            open.add(stream);
            send("retry: 500\n\n");
            const missed = last === undefined ? [] : board.since(last);
            if (missed === undefined) send("event: reset\ndata: {}\n\n");
            else for (const change of missed) send(written(change));

            function send(text: string): void {
              if (isOver) return;
              if ((controller.desiredSize ?? 0) < -MOST_UNREAD) end();
              else controller.enqueue(encoder.encode(text));
            }
          },
          cancel: () => end(),
        },
        { highWaterMark: 64 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
      );
    },
  };
}

const written = ({ id, text }: NamedChange): string => `id: ${id}\ndata: ${text}\n\n`;
