export { findProgram } from "./find-program.ts";
export { isHangUpIgnored } from "./is-hang-up-ignored.ts";
export { lineageOf, type ProcessFact } from "./lineage.ts";
export { makeFolder } from "./make-folder.ts";
export { openProcessGroups, type ProcessGroups } from "./process-groups.ts";
export { processStart } from "./process-start.ts";
export { type RecordedShells, recordShells } from "./recorded-shells.ts";
export { steadyClock, systemClock } from "./system-clock.ts";
export { type Machine, thisMachine } from "./this-machine.ts";
