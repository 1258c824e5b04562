export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { type Clause, Skipped, STORE_CONTRACT, type StoreSubject } from "./store-contract.ts";
