/** A door of its own: workflows are read only when one is asked for, and a hook has no time for them otherwise. */
export { startWorkflow } from "../compose/index.ts";
