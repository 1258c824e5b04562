/** A door of its own: workflows are read only when somebody asks for one, and a hook has no time for them otherwise. */
export { startWorkflow } from "../compose/index.ts";
