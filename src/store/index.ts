export { compactStore } from "./compact-store.ts";
export { memoryStore } from "./memory-store.ts";
export { openStore, openUnread } from "./open-store.ts";
export { StoreError, type StoreErrorCode } from "./store-error.ts";
export { tryStore } from "./try-store.ts";
