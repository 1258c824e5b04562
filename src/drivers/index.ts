export { openDrivers } from "./open-drivers.ts";
