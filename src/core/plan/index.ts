export { readRequirements } from "./read-requirements.ts";
