import { afterAll, describe, test } from "vitest";
import { LEDGER_CONTRACT } from "./ledger-contract.ts";
import { ledgerKinds } from "./ledgers.ts";

const kinds = ledgerKinds();
afterAll(() => kinds.PostgreSQL.close(), 120_000);

describe.each(Object.entries(kinds))("%s", (_kind, { open }) => {
  test.for(LEDGER_CONTRACT)("$name", async ({ check }) => {
    const ledger = await open();
    try {
      await check(ledger);
    } finally {
      await ledger.close();
    }
  });
});
