import type { Ledger } from "../../fleet/index.ts";
import { UsageError } from "../command.ts";

/** The run of the fleet that is meant by an id or its beginning. */
export async function fleetRunNamed(ledger: Ledger, named: string): Promise<string> {
  const exact = await ledger.get(named);
  if (exact) return exact.run;
  const begun = (await ledger.list({ limit: MOST_LOOKED_AT })).filter(
    ({ run }) => named !== "" && run.startsWith(named),
  );
  if (begun.length === 1) return begun[0]!.run;
  if (begun.length === 0) throw new UsageError(`The fleet has no run "${named}". See tildone fleet status.`);
  const some = begun.slice(0, 5).map(({ run }) => run);
  throw new UsageError(`"${named}" could be ${some.join(", ")}. Type more of the id.`);
}

const MOST_LOOKED_AT = 10_000;
