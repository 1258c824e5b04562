export { type ChosenModel, chooseModel, endpointProblem } from "./choose-model.ts";
export type { DemoLine } from "./demo/demo-line.ts";
export { type DemoOptions, runDemo } from "./demo/run-demo.ts";
export { modelAccess } from "./model-access.ts";
export { answerFor, lineFor, lineForCall } from "./narrator.ts";
export { type Agent, NotOpened, openAgent } from "./open-agent.ts";
export { type Outcome, outcomeOf } from "./outcome.ts";
export { type Headless, type HeadlessOptions, type Progress, type Resume, runHeadless } from "./run-headless.ts";
export { runInteractive } from "./terminal/run-interactive.ts";
