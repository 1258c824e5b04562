export { memoryStore } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export { STORE_ERRORS, StoreError, type StoreErrorCode } from "./store-error.ts";
