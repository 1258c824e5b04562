export { type Access, type Device, openAccess } from "./access/index.ts";
export { addressOf, isLoopback, originHere } from "./addresses.ts";
export type { Elsewhere } from "./elsewhere.ts";
export { type Opened, type OpenServer, openServer, type ServerOptions } from "./open-server.ts";
export type * from "./wire.ts";
