import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directories } from "../../config/index.ts";
import { clockTime, span } from "../../core/text/index.ts";
import { findProgram } from "../../machine/index.ts";
import type { Access, Invitation, Opened, OpenServer } from "../../serve/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, number, text, UsageError } from "../command.ts";
import { readyToWork, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonLine, jsonText } from "../json.ts";
import { packaged } from "../packaged.ts";
import { qrLines } from "../qr-lines.ts";
import { refuseAgent } from "../speaker.ts";

const PORT = 4180;

export const serve: Command = {
  name: "serve",
  takes: "",
  summary: "Shows all runs in a browser: see what waits for you, answer it, hold and steer.",
  examples: [
    ["tildone serve --open", "open it in your browser"],
    ["tildone serve --pair", "another code, while the server runs"],
    ["tildone serve --devices", "the browsers that are paired"],
    ["tildone serve --listen 0.0.0.0", "also from your phone, in your network"],
  ],
  details: `Only this machine can open the page, and only a browser that you paired: open the address
that is printed. It holds a code that works once. Beyond this machine the connection is not
encrypted, unless a proxy with TLS stands in front of it: name that with --name.`,
  options: {
    ...JSON_OPTION,
    port: { type: "string", value: "n", says: `Which port; ${PORT} without it, 0 takes one that is free.` },
    listen: {
      type: "string",
      value: "address",
      says: "Where it can be reached; 127.0.0.1 without it: only from here.",
    },
    name: {
      type: "string",
      multiple: true,
      value: "host",
      says: "A name under which it may be called, as of a proxy with TLS in front of it; repeatable.",
    },
    open: { type: "boolean", says: "Open the page in your browser." },
    pair: { type: "boolean", says: "Only print a new code for the server that runs on that port." },
    devices: { type: "boolean", says: "Only list the browsers that are paired." },
    revoke: { type: "string", value: "id", says: "Only take the pairing of one browser away." },
  },
  words: 0,
  run: (given, io) => {
    if (has(given, "devices")) return listDevices(given, io);
    const revoked = text(given, "revoke");
    if (revoked !== undefined) return revokeDevice(revoked, io);
    return has(given, "pair") ? printCode(given, io) : runServer(given, io);
  },
};

async function runServer(given: Given, io: Io): Promise<number> {
  const { openServer, isLoopback } = await import("../../serve/index.ts");
  await readyToWork(io); // a store that does not exist yet is made: the first run shall be seen
  return withStore(io, async (store) => {
    refuseAgent(store, io, "serve");
    const { state } = directories({ env: io.env, home: io.home });
    const listen = text(given, "listen") ?? "127.0.0.1";
    const opened = await openServer({
      ...{
        store,
        elsewhere: store.elsewhere,
        state,
        env: io.env,
        now: io.now,
        listen,
        port: portIn(given),
        names: namesIn(given),
      },
      page: packaged("../dist/page"),
      failed: (where, error) => io.err(`tildone serve: ${where}: ${error instanceof Error ? error.message : "failed"}`),
    });
    const server = serverIn(opened, listen, given);
    const invitation = server.invite();
    const another = typed("tildone serve --pair", listen, server.port, given);
    if (has(given, "json"))
      io.out(jsonLine({ type: "serving", address: server.address, port: server.port, pair: invitation.address }));
    else introduce(server.address, { ...invitation, another }, isLoopback(listen), io);
    const forget = has(given, "open") ? await openBrowser(invitation.address, state, io) : () => {};
    await ended(io.signal);
    forget();
    await server.close();
    return 0;
  });
}

function serverIn(opened: Opened, listen: string, given: Given): OpenServer {
  if (opened.status === "open") return opened.server;
  const port = portIn(given);
  switch (opened.why) {
    case "taken":
      throw new Failure(
        `Port ${port} is taken. If that is tildone serve, open it: ${typed("tildone serve --pair", listen, port, given)}. Else choose another: tildone serve --port ${port < 65_535 ? port + 1 : PORT}`,
      );
    case "no_such_address":
      throw new Failure(`This machine has no address ${listen}. Without --listen it is 127.0.0.1.`);
    case "not_allowed":
      throw new Failure(`You may not open port ${port}. Choose one above 1023: tildone serve --port ${PORT}`);
    case "not_built":
      throw new Failure(
        "The page is not in this installation. In a checkout of tildone: npm run build. Else install it again.",
      );
  }
}

/** The command with what names the server that runs there. */
const typed = (command: string, listen: string, port: number, given: Given): string =>
  [
    command,
    ...(port === PORT ? [] : [`--port ${port}`]),
    ...(listen === "127.0.0.1" ? [] : [`--listen ${listen}`]),
    ...namesIn(given).map((name) => `--name ${name}`),
  ].join(" ");

/** `another`: what prints another code. */
function introduce(address: string, invitation: Invitation & { another: string }, isLocal: boolean, io: Io): void {
  io.out(`tildone serves your runs at ${address}`);
  if (!isLocal) {
    io.out("");
    io.out("Everyone who can reach this address can try to open it. Only a browser with a code can see");
    io.out("your runs or answer in your name. The connection is not encrypted: in a network that you do");
    io.out("not trust, others can read it. Use a tunnel with TLS there, and name it with --name.");
    io.out("");
    for (const line of qrLines(invitation.qr)) io.out(line);
  }
  io.out("");
  io.out(`Open this to pair a browser: ${invitation.address}`);
  io.out(
    `It works once, until ${clockTime(invitation.endsAt, io.now())}. Another one: ${invitation.another}. Ctrl-C ends the server.`,
  );
}

async function printCode(given: Given, io: Io): Promise<number> {
  const { openAccess, addressOf, isLoopback, originHere } = await import("../../serve/index.ts");
  await withStore(io, (store) => refuseAgent(store, io, "serve"));
  const listen = text(given, "listen") ?? "127.0.0.1";
  const names = namesIn(given);
  const { code, endsAt } = access(openAccess, io).code();
  const address = `${addressOf(listen, portIn(given), names)}/#pair=${code}`;
  if (has(given, "json")) io.out(jsonLine({ pair: address, endsAt }));
  else {
    if (!isLoopback(listen)) {
      const { encode } = await import("uqr");
      for (const line of qrLines(encode(address, { border: 2 }).data)) io.out(line);
    }
    io.out(`Open this to pair a browser: ${address}`);
    io.out(`It works once, until ${clockTime(endsAt, io.now())}.`);
  }
  const here = originHere(listen, portIn(given));
  if (!(await answers(here)))
    io.err(`No tildone serve answers at ${here}. Start it: ${typed("tildone serve", listen, portIn(given), given)}`);
  return 0;
}

async function answers(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false; // refused, silent, or no server of ours
  }
}

async function listDevices(given: Given, io: Io): Promise<number> {
  const { openAccess } = await import("../../serve/index.ts");
  const devices = access(openAccess, io).devices();
  if (has(given, "json")) io.out(jsonText(devices));
  else if (devices.length === 0) io.out("No browser is paired. Pair one: tildone serve");
  else
    for (const { id, name, paired, seen } of devices)
      io.out(`${id}  ${name}, paired ${span(io.now() - paired)} ago, last seen ${span(io.now() - seen)} ago`);
  return 0;
}

async function revokeDevice(named: string, io: Io): Promise<number> {
  const { openAccess } = await import("../../serve/index.ts");
  const known = access(openAccess, io);
  const found = known.devices().filter(({ id }) => named !== "" && id.startsWith(named));
  if (found.length !== 1)
    throw new UsageError(
      `${found.length === 0 ? "No" : "More than one"} paired browser begins with "${named}". See tildone serve --devices.`,
    );
  known.revoke(found[0]!.id);
  io.out(`${found[0]!.name} is not paired any more; its page ends within seconds.`);
  return 0;
}

const access = (open: (state: string, now: () => number) => Access, io: Io): Access =>
  open(directories({ env: io.env, home: io.home }).state, io.now);

function portIn(given: Given): number {
  const port = number(given, "port") ?? PORT;
  if (!Number.isInteger(port) || port > 65_535)
    throw new UsageError(`--port is a whole number up to 65535, not ${port}.`);
  return port;
}

function namesIn(given: Given): readonly string[] {
  const names = given.options.name;
  const all = Array.isArray(names) ? (names as readonly string[]) : [];
  const wrong = all.find((name) => !/^[\w.-]+(:\d+)?$/.test(name));
  if (wrong !== undefined) throw new UsageError(`--name is a host name such as desk.example.ts.net, not "${wrong}".`);
  return all;
}

/**
 * Through a file that only you can read: the arguments of a program are seen by everyone on the machine, and the address holds a code.
 * Gives what takes the file away.
 */
async function openBrowser(address: string, state: string, io: Io): Promise<() => void> {
  const program = ["xdg-open", "open", "wslview"]
    .map((name) => findProgram(name, io))
    .find((each) => each !== undefined);
  const file = join(state, "serve", "open.html");
  if (program === undefined) {
    io.err("No program here opens a browser. Open the address above yourself.");
    return () => {};
  }
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><title>tildone</title>`, {
    mode: 0o600,
  });
  const { spawn } = await import("node:child_process");
  const child = spawn(program, [file], { stdio: "ignore", detached: true });
  child.on("error", () => io.err("The browser did not start. Open the address above yourself."));
  child.on(
    "exit",
    (code) => void (code !== 0 && io.err("The browser did not start. Open the address above yourself.")),
  );
  child.unref();
  return () => rmSync(file, { force: true });
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true })));
