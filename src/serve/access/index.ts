export { type Access, type Device, openAccess } from "./access.ts";
export { deviceName } from "./device-name.ts";
export { countGuesses, type Guesses } from "./guesses.ts";
