import { systemClock } from "../compose/index.ts";
import { tellDelivered } from "../engine/index.ts";
import { openStore } from "../store/index.ts";
import type { Carried } from "./happening.ts";

/** The host has the answer. Said by the process that printed it, even if the server thought of it: no other process knows. */
export async function delivered({ run, ids }: Carried, database: string): Promise<void> {
  const store = await openStore({ path: database, durable: "at close" });
  try {
    tellDelivered(store.log, run, ids, systemClock().now());
  } finally {
    store.close();
  }
}
