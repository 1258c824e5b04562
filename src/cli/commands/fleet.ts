import { type Command, type Given, has, text, UsageError } from "../command.ts";
import { fleetDoctor } from "../fleet/fleet-doctor.ts";
import { fleetSettings } from "../fleet/fleet-settings.ts";
import { fleetStatus } from "../fleet/fleet-status.ts";
import { fleetDown, fleetKeep, fleetUp, UP_OPTIONS } from "../fleet/fleet-up.ts";
import type { Io } from "../io.ts";
import { jsonLine } from "../json.ts";

export const fleet: Command = {
  name: "fleet",
  takes: "<init|doctor|status|up|down>",
  summary: "Sets up and watches a fleet: goals on a queue, workers on many machines, one PostgreSQL.",
  examples: [
    ["tildone fleet up", "try it here: a database of its own and two workers"],
    ["tildone fleet down", "stop what up started"],
    ["tildone fleet init", "prepare your database, or update it; once, as its owner"],
    ["tildone fleet init --worker-role worker", "and let that role read and write, but change no table"],
    ["tildone fleet status", "queue, workers, runs"],
    ["tildone fleet doctor", "what is set up, and what to fix"],
  ],
  details: "The database: database.url in your own settings, or TILDONE_DATABASE_URL. See docs/how-to/fleet.md.",
  completes: [["init", "doctor", "status", "up", "down"]],
  options: {
    ...UP_OPTIONS,
    "worker-role": { type: "string", value: "role", says: "init: a role of the database for workers and commands." },
  },
  words: 1,
  run: async (given, io) => {
    const [action] = given.words;
    switch (action) {
      case "init":
        return init(given, io);
      case "doctor":
        return fleetDoctor(has(given, "json"), io);
      case "status":
        return fleetStatus(has(given, "json"), io);
      case "up":
        return fleetUp(given, io);
      case "down":
        return fleetDown(given, io);
      case "keep": // for `up`: the process that stays
        return fleetKeep(given, io);
      default:
        throw new UsageError(
          action === undefined
            ? "Say what: tildone fleet init, doctor, status, up or down."
            : `There is no "fleet ${action}": init, doctor, status, up or down.`,
        );
    }
  },
};

async function init(given: Given, io: Io): Promise<number> {
  const { url, schema } = await fleetSettings(io);
  const { initFleet } = await import("../../fleet/index.ts");
  const workerRole = text(given, "worker-role");
  const done = await initFleet({ url, schema, workerRole });
  if (has(given, "json")) io.out(jsonLine({ schema: done.schema, steps: done.steps }));
  else {
    io.out(
      done.steps === 0
        ? `The database is ready; schema ${done.schema} was up to date.`
        : `The database is ready: schema ${done.schema}, ${done.steps} ${done.steps === 1 ? "step" : "steps"}.`,
    );
    if (workerRole !== undefined) io.out(`${workerRole} may read and write there, and change no table.`);
    io.out("Next, on each machine that works: tildone worker");
  }
  return 0;
}
