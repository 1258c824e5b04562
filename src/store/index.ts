export { compactStore } from "./compact-store.ts";
export { memoryStore } from "./memory-store.ts";
export { openStore } from "./open-store.ts";
export { openUnread } from "./open-unread.ts";
export { StoreError, type StoreErrorCode } from "./store-error.ts";
export { tryStore } from "./try-store.ts";
