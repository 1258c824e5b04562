export { amount, duration, money } from "./amounts.ts";
export { followApprovals, type ReportedApproval } from "./approvals.ts";
export { htmlReport } from "./html.ts";
export { type LogState, logStateText } from "./log-state.ts";
export { markdownReport } from "./markdown.ts";
export { type ChangedFile, pullRequestText } from "./pull-request.ts";
export { followReport, type Report, type ReportedTodo, type Reporter } from "./report.ts";
export { type RefusedAttempt, type ReportedWord, refusedAttempt, wordNotAtTerminal } from "./said.ts";
export { type Stats, type StatsRow, statsOf } from "./stats.ts";
