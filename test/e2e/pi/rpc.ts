import type { ChildProcess } from "node:child_process";
import type { Sandbox } from "./sandbox.ts";

export interface RpcEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Rpc {
  readonly events: readonly RpcEvent[];
  readonly child: ChildProcess;
  send(command: { readonly type: string; readonly [field: string]: unknown }): void;
  /** The first event from `from` on that fits; waits for it. */
  next(fits: (event: RpcEvent) => boolean, from?: number): Promise<RpcEvent>;
  close(): Promise<number | null>;
}

/** pi's rpc mode: one JSON object a line, split on LF only. */
export function openRpc(box: Sandbox, ...args: readonly string[]): Rpc {
  const child = box.start("--mode", "rpc", ...args);
  const events: RpcEvent[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    events.push(...lines.filter((line) => line !== "").map((line) => JSON.parse(line) as RpcEvent));
    for (const look of waiting) look();
  });
  const gone = new Promise<number | null>((done) => child.on("close", done));
  return {
    events,
    child,
    send: (command) => child.stdin?.write(`${JSON.stringify(command)}\n`),
    next: (fits, from = 0) =>
      new Promise((found, failed) => {
        const look = () => {
          const event = events.slice(from).find(fits);
          if (!event) return;
          waiting.delete(look);
          found(event);
        };
        waiting.add(look);
        look();
        void gone.then((code) => failed(new Error(`pi ended with ${code}: ${errors}`)));
      }),
    close: () => {
      child.stdin?.end();
      return gone;
    },
  };
}

export const isType = (type: string) => (event: RpcEvent) => event.type === type;
export const count = (events: readonly RpcEvent[], type: string): number => events.filter(isType(type)).length;
