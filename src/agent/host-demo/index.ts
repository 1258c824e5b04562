export { type HostDemoOptions, runHostDemo } from "./run-host-demo.ts";
