export { type Mirror, openMirror } from "./mirror.ts";
export { isOffered, isServing, isUp, whyUnserved } from "./serving.ts";
export { type FleetTelling, tellFleet, type Wake } from "./tell-fleet.ts";
