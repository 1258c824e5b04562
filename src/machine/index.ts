export { findProgram } from "./find-program.ts";
export { isHangUpIgnored } from "./is-hang-up-ignored.ts";
export { makeFolder } from "./make-folder.ts";
export { openProcessGroups, type ProcessGroups } from "./process-groups.ts";
export { processStart } from "./process-start.ts";
export { steadyClock, systemClock } from "./system-clock.ts";
export { type Machine, thisMachine } from "./this-machine.ts";
