export { isInstalled } from "./examine-config.ts";
export { examineHost } from "./examine-host.ts";
export type { Finding } from "./finding.ts";
