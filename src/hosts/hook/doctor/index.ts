export { examineHost } from "./examine-host.ts";
export type { Finding } from "./finding.ts";
