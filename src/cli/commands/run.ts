import { HOST_NAMES } from "../../config/index.ts";
import { beginRun } from "../begin-run.ts";
import { type Command, JSON_OPTION, text } from "../command.ts";
import { hostOf } from "../host-of.ts";
import { listed } from "../listed.ts";
import { taskOf } from "../run-task.ts";
import { spin } from "../spinner.ts";

export const run: Command = {
  name: "run",
  takes: '"goal"  |  --resume [run] ["message"]',
  summary: "Works on a goal unattended, until its todo list is done and proven or there is a reason to stop.",
  examples: [
    ['tildone run "fix the failing tests" --check "npm test"', "until npm test passes"],
    ["tildone run --file plan.md --approval auto-edit", "work through a plan; edits need no approval"],
    ["tildone run --resume", "continue the last run of this folder"],
    ['tildone run --resume r7k2 "use tabs"', "continue that run with a message"],
    ['tildone run --host claude-code "fix the tests"', "Claude Code does the work"],
  ],
  details: `Changes need approval: answer in the terminal or with tildone approve, or choose
--approval auto-edit (edits run without asking) or yolo (everything does). A call without an
answer is denied after approval.timeout.

--resume resets what stopped the run (docs/reference/reasons.md). A spent budget
needs tildone extend, or a new --max-tokens, --max-cost or --max-minutes. Model,
server, host and its arguments, --fresh and --context are used again.

Ctrl-C finishes the running tool and stops; twice stops now. Both can be resumed.
Exit codes: tildone help exit-codes.`,
  completes: ["run"],
  options: {
    ...JSON_OPTION,
    model: { type: "string", value: "provider/id", says: "The model; otherwise what pi is set to." },
    "base-url": { type: "string", value: "url", says: "An OpenAI-compatible server; --model is the name it knows." },
    agent: { type: "string", value: "name", says: "The agent whose settings apply (agents.<name>); default: coder." },
    file: { type: "string", completes: "file", value: "plan.md", says: "A plan: its checkboxes become the list." },
    workflow: {
      type: "string",
      completes: "workflow",
      value: "name",
      says: "Work through this workflow (tildone workflow list).",
    },
    report: {
      type: "string",
      completes: "file",
      value: "file",
      says: "Write a report at the end: .md, .html or .json.",
    },
    todo: { type: "string", value: "text", multiple: true, says: "A todo of yours; repeatable." },
    check: { type: "string", value: "command", multiple: true, says: "Must pass at the end; repeatable." },
    touches: {
      type: "string",
      value: "glob",
      multiple: true,
      says: "Tests and scripts the agent may change; repeatable.",
    },
    approval: {
      type: "string",
      completes: ["ask", "auto-edit", "yolo", "plan"],
      value: "mode",
      says: "ask, auto-edit, yolo or plan.",
    },
    confine: {
      type: "string",
      completes: ["off", "auto", "required"],
      value: "mode",
      says: "Keep the agent's shell in the project: off, auto or required.",
    },
    fresh: { type: "boolean", says: "Start each todo in a new conversation with a short briefing: --context fresh." },
    context: {
      type: "string",
      completes: ["same", "fresh", "auto"],
      value: "mode",
      says: "Where the next todo starts: same, fresh or auto.",
    },
    "context-every": { type: "string", value: "n", says: "Todos in one conversation before a fresh one." },
    "max-continuations": { type: "string", value: "n", says: "Continuations without a new state of the files." },
    "max-todo-continuations": { type: "string", value: "n", says: "The same by its older name." },
    "max-tokens": { type: "string", value: "n", says: "Tokens that the run may use." },
    "max-cost": { type: "string", value: "n", says: "What the run may cost." },
    "max-minutes": {
      type: "string",
      value: "n",
      says: "Active minutes that the run may take, or unlimited; default: 480 (unattended.minutes).",
    },
    "auto-complete-todos": {
      type: "boolean",
      says: "Tell the agent to continue when it stops early (the default); --no-auto-complete-todos does not.",
    },
    resume: { type: "boolean", says: "Continue a run: its id, or the last one of this folder; then a message." },
    host: {
      type: "string",
      completes: "host",
      value: "name",
      says: `Let ${listed(HOST_NAMES, "or")} do the work; install tildone there first.`,
    },
    "host-arg": { type: "string", value: "arg", multiple: true, says: "Passed on to that host; repeatable." },
  },
  words: 2,
  run: async (given, io) => {
    io.works();
    if (text(given, "report") !== undefined) await refuseUnknownReport(text(given, "report")!);
    const task = await taskOf(given, io);
    const host = await hostOf(task, given);
    if (task.type === "resume") {
      const { isOver, sayOver } = await import("../ended-run.ts");
      if (isOver(task)) return sayOver(task, given, io);
    }
    const begun = await beginRun(task, host, given, io);
    const stopSpinning = spin(io, "starting");
    const { workOn } = await import("../work-on.ts");
    return workOn({ ...begun, task, host, stopSpinning }, given, io);
  },
};

async function refuseUnknownReport(file: string): Promise<void> {
  (await import("../write-report.ts")).formatOf(file);
}
