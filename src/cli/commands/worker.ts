import { join } from "node:path";
import { directories } from "../../config/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, number, text, UsageError } from "../command.ts";
import { fleetSettings } from "../fleet/fleet-settings.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../json.ts";
import { packaged } from "../packaged.ts";
import { version } from "../version.ts";

export const worker: Command = {
  name: "worker",
  takes: "",
  summary: "Works on goals from the queue of your fleet, until you stop it.",
  examples: [
    ["tildone worker", "as many runs at once as fleet.slots says"],
    ["tildone worker --slots 4 --labels gpu,linux", "four at once, also goals that need those labels"],
    ["tildone worker --metrics 9464", "figures for Prometheus at http://127.0.0.1:9464/metrics"],
  ],
  details: `It takes only goals for repositories that fleet.allow names, clones them with the git
credentials of this machine, and works with the keys and settings of this machine.
SIGTERM or Ctrl-C: it takes nothing new, finishes the turns that run, hands its runs to
other workers and ends. A second one ends it now; other workers then continue from the
last checkpoint.`,
  options: {
    ...JSON_OPTION,
    slots: { type: "string", value: "n", says: "Runs at the same time; default: fleet.slots." },
    queue: { type: "string", value: "name", multiple: true, says: "A queue to serve; repeatable; default: runs." },
    labels: { type: "string", value: "labels", says: "What it offers, with commas; default: fleet.labels." },
    metrics: { type: "string", value: "port", says: "Serve /metrics on this port of 127.0.0.1." },
    lease: {
      type: "string",
      value: "seconds",
      says: "After so long a silent worker counts as dead; default: 15. The same for all workers.",
    },
    id: { type: "string", value: "name", says: "Its name; default: one that this machine keeps." },
    allow: {
      type: "string",
      value: "url",
      multiple: true,
      says: "A repository whose goals may run here, besides fleet.allow; repeatable.",
    },
    state: { type: "string", value: "folder", completes: "file", says: "Where it keeps clones and runs." },
  },
  words: 0,
  run: async (given, io) => {
    const settings = withAllowed(await fleetSettings(io), given);
    if (settings.allow.length === 0)
      throw new Failure(
        "fleet.allow is empty, so this worker would take nothing. Name the repositories whose commands may run here: tildone config set fleet.allow 'https://example.com/team/*'",
        2,
      );
    const options = optionsOf(given, settings, io);
    const { openWorker } = await import("../../fleet/index.ts");
    const opened = await openWorker({ ...options, stuck: endProcess });
    const line = `works on ${options.queues.join(", ")} with ${options.slots} slots${options.labels.length > 0 ? `, offers ${options.labels.join(", ")}` : ""}`;
    if (has(given, "json"))
      io.out(jsonLine({ type: "worker", id: opened.id, slots: options.slots, labels: options.labels }));
    else io.out(`Worker ${opened.id} ${line}. Ctrl-C finishes the running turns and ends.`);
    let isAsked = false;
    const drain = () => {
      if (isAsked) return;
      isAsked = true;
      if (!has(given, "json")) io.out("Ending: no new runs; running turns finish and are handed over. Again: end now.");
      void opened.drain();
    };
    if (process.connected) process.once("disconnect", drain); // the process that started it for itself is gone
    if (io.signal.aborted) drain();
    io.signal.addEventListener("abort", drain, { once: true });
    const isAgain = new Promise<"again">((done) => io.signalAgain.addEventListener("abort", () => done("again")));
    const ended = await Promise.race([opened.drained, isAgain]);
    if (ended === "again") await opened.kill();
    if (process.connected) process.disconnect(); // else it would keep this process alive
    endProcess();
    if (ended !== "newer") return 0;
    io.err(
      "Runs of this fleet were written by a newer tildone. Update tildone on this machine, then start the worker again.",
    );
    return WANTS_UPDATE;
  },
};

/** With the exit code of the command. DBOS, which asks a database that is away without end, would keep the process alive. */
const endProcess = (): void => void setTimeout(() => process.exit(), LINGER_MS).unref();

type Settings = Awaited<ReturnType<typeof fleetSettings>>;

function withAllowed(settings: Settings, given: Given): Settings {
  const { allow } = given.options;
  return Array.isArray(allow) ? { ...settings, allow: [...settings.allow, ...(allow as readonly string[])] } : settings;
}

function optionsOf(given: Given, settings: Settings, io: Io) {
  const slots = number(given, "slots") ?? settings.slots;
  if (!Number.isInteger(slots) || slots < 1 || slots > 256)
    throw new UsageError("--slots is a whole number from 1 to 256.");
  const port = number(given, "metrics");
  if (port !== undefined && (!Number.isInteger(port) || port > 65_535))
    throw new UsageError("--metrics is a port: a whole number up to 65535.");
  const lease = number(given, "lease");
  if (lease !== undefined && (lease < 2 || lease > 600))
    throw new UsageError("--lease is a number of seconds from 2 to 600.");
  const id = text(given, "id");
  if (id !== undefined && !NAME.test(id)) throw new UsageError("--id is a name of letters, digits, . _ and -.");
  const queues = given.options.queue;
  const labels = text(given, "labels");
  const { state } = directories({ env: io.env, home: io.home });
  return {
    access: { url: settings.url, schema: settings.schema },
    ...(id !== undefined && { id }),
    slots,
    queues: Array.isArray(queues) && queues.length > 0 ? queues.map(named) : ["runs"],
    labels: labels === undefined ? settings.labels : labels.split(",").map((label) => named(label.trim())),
    allow: settings.allow,
    clones: settings.clones,
    ...(settings.perRepository !== undefined && { perRepository: settings.perRepository }),
    ...(settings.perProvider !== undefined && { perProvider: settings.perProvider }),
    ...(settings.keepMs !== undefined && { keepMs: settings.keepMs }),
    ...(port !== undefined && { metricsPort: port }),
    ...(lease !== undefined && { leaseMs: lease * 1000 }),
    state: text(given, "state") ?? join(state, "worker"),
    env: io.env,
    home: io.home,
    programs: {
      runner: [process.execPath, packaged("tildone-runner.js")],
      tildone: [process.execPath, packaged("tildone.js")],
    },
    version: version(),
    log: (line: string) => io.err(line),
  };
}

const LINGER_MS = 1_000;
/** A unit that restarts it does better to wait. */
const WANTS_UPDATE = 75;

const NAME = /^[A-Za-z0-9][\w.-]{0,60}$/;

function named(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(`Queues and labels are names of letters, digits, . _ and -, not "${name.slice(0, 60)}".`);
}
