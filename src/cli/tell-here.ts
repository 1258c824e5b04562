export { tellRun } from "../compose/index.ts";
