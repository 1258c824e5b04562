export {
  aBoundary,
  aFailure,
  aReceipt,
  aRun,
  type History,
  type HistoryGiven,
  history,
  type RunGiven,
  receiptsOf,
  said,
  todos,
} from "./builders/index.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { type Clause, Skipped, STORE_CONTRACT, type StoreSubject } from "./store-contract.ts";
