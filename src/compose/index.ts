export { steadyClock, systemClock } from "../machine/index.ts";
export { checksFor } from "./checks-for.ts";
export { describeTrust } from "./describe-trust.ts";
export { diffWork } from "./diff-work.ts";
export { onInterrupt } from "./on-interrupt.ts";
export { type Opened, openTildone, type Tildone, type TildoneOptions } from "./open-tildone.ts";
export { createPrelude, type Prelude } from "./prelude.ts";
export {
  commandFolders,
  type ProjectTrust,
  projectTrust,
  trustsPi,
  unreadContext,
  type Whereabouts,
} from "./project-trust.ts";
export { readWorkflows } from "./read-workflows.ts";
export { REPORT_FORMATS, type ReportFormat, reportText } from "./report-text.ts";
export { newRunId } from "./run-id.ts";
export { type StartWorkflow, startTrigger, startWorkflow } from "./start-workflow.ts";
export { stayAwake } from "./stay-awake.ts";
export { type Telling, type Told, tellRun } from "./tell-run.ts";
export { midWorkRefusal, type UndoHome, undoPlace } from "./undo-place.ts";
export { recoverUndo, type UndoAnswer, type UndoPlace, undoRun } from "./undo-run.ts";
