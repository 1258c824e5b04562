export { connectFleet, type Database, dbosSchemaOf, type FleetAccess, schemaOf } from "./connect.ts";
export { explained, FLEET_ERRORS, FleetError, type FleetErrorCode, isOutage } from "./fleet-error.ts";
export { type InitDone, type InitOptions, initFleet } from "./init-fleet.ts";
export { memoryLedger } from "./memory-ledger.ts";
export { loadDbos, loadPg } from "./packages.ts";
export { openLedger, pgLedger } from "./pg-ledger.ts";
export { OVER } from "./rules.ts";
