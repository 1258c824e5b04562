export { openDrivers } from "./open-drivers.ts";
export { sessionOfProcess } from "./session-of-process.ts";
