// The wire between one machine and a server, on loopback. A test can cut it, lose one answer on it, or change what comes back.
import { connect, createServer, type Server, type Socket } from "node:net";

export interface Wire extends AsyncDisposable {
  readonly port: number;
  /** Nothing passes any more, and neither end hears of it: connections stay open, as if a cable had been pulled. */
  cut(): void;
  /** What was on its way arrives late. */
  join(): void;
  /** Connections end at once, and no new one is accepted until `join`. */
  refuse(): void;
  /** `refuse`, as soon as something like this is sent: it does not arrive. */
  refuseAt(shape: RegExp): void;
  /**
   * The next time that something like this is sent, it arrives and is carried out; its answer does not come back, and the connection
   * stays silent for good. Resolves when the server has answered.
   */
  loseAnswerTo(shape: RegExp): Promise<void>;
}

export interface WireOptions {
  /** Changes what the server says. */
  readonly rewrite?: (bytes: Buffer) => Buffer;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** Its answers are lost from now on. */
  isDeaf: boolean;
}

export async function openWire(to: number, { rewrite = (bytes) => bytes }: WireOptions = {}): Promise<Wire> {
  const pairs = new Set<Pair>();
  let status: "open" | "cut" | "refusing" = "open";
  let losing: { readonly shape: RegExp; readonly answered: () => void } | undefined;
  let refusing: RegExp | undefined;
  const server = createServer({ pauseOnConnect: true }, accept);
  const port = await listening(server);

  return {
    port,
    cut: () => change("cut"),
    join: () => change("open"),
    refuse,
    refuseAt: (shape) => {
      refusing = shape;
    },
    loseAnswerTo: (shape) => new Promise((answered) => (losing = { shape, answered })),
    [Symbol.asyncDispose]: async () => {
      for (const { near } of pairs) near.destroy();
      await new Promise((done) => server.close(done));
    },
  };

  function accept(near: Socket): void {
    if (status === "refusing") return void near.resetAndDestroy();
    const pair: Pair = { near, far: connect(to, "127.0.0.1"), isDeaf: false };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      pair.far.destroy();
    };
    for (const socket of [near, pair.far]) socket.on("error", end).on("close", end);
    near.on("data", (bytes: Buffer) => sent(pair, bytes));
    pair.far.on("data", (bytes: Buffer) => answered(pair, bytes));
    if (status === "open") near.resume();
    else pair.far.pause();
  }

  function refuse(): void {
    change("refusing");
    for (const { near } of pairs) near.resetAndDestroy();
  }

  function sent(pair: Pair, bytes: Buffer): void {
    if (refusing?.test(bytes.toString("latin1"))) {
      refusing = undefined;
      refuse();
      return;
    }
    if (losing?.shape.test(bytes.toString("latin1"))) pair.isDeaf = true;
    pair.far.write(bytes);
  }

  function answered(pair: Pair, bytes: Buffer): void {
    if (!pair.isDeaf) return void pair.near.write(rewrite(bytes));
    losing?.answered();
    losing = undefined;
  }

  function change(to: typeof status): void {
    status = to;
    for (const { near, far } of pairs)
      for (const socket of [near, far])
        if (to === "open") socket.resume();
        else socket.pause();
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail).listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port));
  });
}
