export { type ChecksPorts, createChecks } from "./create-checks.ts";
