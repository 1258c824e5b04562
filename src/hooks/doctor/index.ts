export { converse } from "./converse.ts";
export { isInstalled } from "./examine-config.ts";
export { examineHost } from "./examine-host.ts";
export { type Finding, fix, note, ok } from "./finding.ts";
export { readSettings } from "./read-settings.ts";
export { offIn } from "./switched-off.ts";
