import { type Command, Failure, has, JSON_OPTION, UsageError } from "../command.ts";
import { fleetRunNamed } from "../fleet/fleet-run-named.ts";
import { fleetSettings } from "../fleet/fleet-settings.ts";
import { ownName } from "../fleet/own-name.ts";
import { withStore } from "../home.ts";
import { jsonLine } from "../json.ts";
import { refuseAgent } from "../speaker.ts";

export const cancel: Command = {
  name: "cancel",
  takes: "<run>",
  summary: "Ends a run of the fleet for good; its worker stops at once.",
  examples: [["tildone cancel k3f9x2ab", "what it did so far stays in its log"]],
  details: "A run that you want to continue later: tildone hold <run>. A run on this machine: tildone hold, or Ctrl-C.",
  completes: ["run"],
  options: { ...JSON_OPTION },
  words: 1,
  run: async (given, io) => {
    const [named] = given.words;
    if (named === undefined) throw new UsageError("Say which run: tildone cancel <run>.");
    await withStore(io, (store) => {
      refuseAgent(store, io, "clear", named);
      if (store.runs.get(named))
        throw new Failure(
          `${named} is a run on this machine, not of the fleet. Stop it with: tildone hold ${named} --now`,
        );
    });
    const access = await fleetSettings(io);
    const { cancelRun, openLedger } = await import("../../fleet/index.ts");
    const ledger = await openLedger(access);
    try {
      const run = await fleetRunNamed(ledger, named);
      const isEnded = await cancelRun(access, ledger, run, ownName());
      if (has(given, "json")) io.out(jsonLine({ run, cancelled: isEnded }));
      else io.out(isEnded ? `Cancelled ${run}. Its log stays: tildone report ${run}` : `${run} is already over.`);
      return 0;
    } finally {
      await ledger.close();
    }
  },
};
