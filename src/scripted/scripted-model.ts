import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DIALECTS, type Dialect, type ModelRequest } from "./dialects.ts";

/** What the model does with one request: it speaks, it calls tools, or the provider fails. */
export interface Step {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** An HTTP status other than 200: the provider fails with it. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `length`: the answer was cut at the output limit; `dropped`: the connection breaks in the middle of the answer;
   * `garbled`: a piece in the middle of the answer is damaged.
   */
  readonly stop?: "length" | "dropped" | "garbled";
  /** The answer is held back until this resolves, or until the client is gone. */
  readonly after?: Promise<unknown>;
  /** The calls come when this resolves, and the text before it, over an API that sends one after the other. */
  readonly callsAfter?: Promise<unknown>;
  readonly usage?: { readonly input: number; readonly output: number };
  /** The server does not tell what the answer used. */
  readonly usageless?: boolean;
  /** The text comes again and again, this many milliseconds apart, until the client is gone. */
  readonly endlessMs?: number;
}
/** Arguments given as text are sent as they are, whether they can be parsed or not. */
export type Call = readonly [tool: string, args: object | string];

/** A conversation, as a list of steps or as a function of what was asked. After the last step the list repeats it. */
export type Script = readonly Step[] | ((request: ModelRequest, count: number) => Step);
/** The same, or one that looks at something before it answers. */
type Played = readonly Step[] | ((request: ModelRequest, count: number) => Step | Promise<Step>);

/** A provider on loopback, and what it was asked. */
export interface ScriptedModel {
  /** Base URL of the provider, for example `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Resolves when so many requests have come in. */
  received(count: number): Promise<void>;
  play(script: Played): void;
  close(): Promise<void>;
}

/** A provider on loopback that answers by script. Which API it speaks follows from the path that is asked. */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let playing: Played = script;
  let base = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    received: (count) =>
      requests.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    play: (next) => {
      playing = next;
      base = requests.length;
    },
    close: () => closeServer(server),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const dialect = dialectOf(request.url ?? "");
    const body = await readJson(request);
    if (!dialect) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: `the scripted model knows no ${request.method} ${request.url}` } }),
      );
      return;
    }
    const asked = dialect.read(body);
    const count = requests.push(asked) - base;
    for (const { resolve } of waiting.filter((one) => one.count <= requests.length)) resolve();
    const step = await stepOf(playing, asked, count);
    if (step.after) await Promise.race([step.after, new Promise((gone) => response.once("close", gone))]);
    if (response.destroyed) return;
    if (step.status !== undefined && step.status !== 200) {
      response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
      response.end(
        JSON.stringify(dialect.failure(step.message ?? "scripted failure", step.status, step.headers?.["retry-after"])),
      );
      return;
    }
    const whole = dialect.whole?.(step, requests.length, body);
    if (whole) {
      response.writeHead(200, { "content-type": "application/json", ...step.headers });
      response.end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", ...step.headers });
    const frames = dialect.write(step, requests.length);
    if (step.endlessMs !== undefined) return streamForever(response, frames, step.text ?? "", step.endlessMs);
    if (step.stop === "dropped") return void response.write(frames[0]!, () => response.destroy());
    if (step.stop === "garbled") {
      for (const frame of [frames[0]!, 'data: {"id":"x","cho\n\n', ...frames.slice(1)]) response.write(frame);
      return void response.end();
    }
    const words = step.callsAfter ? sharedStart(frames, dialect.write(wordsOf(step), requests.length)) : [];
    for (const frame of words) response.write(frame);
    await step.callsAfter;
    for (const frame of frames.slice(words.length)) response.write(frame);
    response.end();
  }
}

/** Every API has one frame that carries a piece of the text. */
async function streamForever(
  response: ServerResponse,
  frames: readonly string[],
  text: string,
  everyMs: number,
): Promise<void> {
  const piece = frames.findIndex((frame) => frame.includes(text) && /delta|candidates/.test(frame));
  for (const frame of frames.slice(0, piece)) response.write(frame);
  while (!response.destroyed) {
    response.write(frames[piece]!);
    await new Promise((next) => setTimeout(next, everyMs));
  }
}

const wordsOf = ({ calls: _later, ...step }: Step): Step => step;

function sharedStart(frames: readonly string[], others: readonly string[]): readonly string[] {
  const end = frames.findIndex((frame, at) => frame !== others[at]);
  return end < 0 ? frames : frames.slice(0, end);
}

function stepOf(script: Played, asked: ModelRequest, count: number): Step | Promise<Step> {
  if (typeof script === "function") return script(asked, count);
  return script[Math.min(count, script.length) - 1] ?? { text: "The script is over." };
}

const dialectOf = (url: string): Dialect | undefined => DIALECTS.find(({ path }) => path.test(url.split("?")[0]!));

async function readJson(request: IncomingMessage): Promise<unknown> {
  let raw = "";
  for await (const chunk of request.setEncoding("utf8")) raw += chunk;
  return raw === "" ? {} : JSON.parse(raw);
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
