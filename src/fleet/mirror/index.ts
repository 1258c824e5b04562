export { type Mirror, openMirror } from "./mirror.ts";
export { type FleetTelling, tellFleet, type Wake } from "./tell-fleet.ts";
