import type { Headless, Progress } from "../agent/index.ts";
import { countedTokens, type Envelope, type Run } from "../core/run/index.ts";
import { span } from "../core/text/index.ts";
import type { Role } from "../core/todo/index.ts";
import { viewOf } from "../core/view/index.ts";
import type { Io } from "./io.ts";
import { jsonLine } from "./json.ts";
import { bar, listLines } from "./show-run.ts";
import { FRAME_MS, frameAt } from "./spinner.ts";
import { styleOf } from "./style.ts";
import { clip, printable, wrap } from "./wrap.ts";

/** How a headless run looks to the one who started it. */
export interface RunView {
  readonly take: (progress: Progress) => void;
  /** `continues`: the command that continues the run. */
  readonly end: (result: Headless, continues: string | undefined) => void;
  /** A question has the terminal, until what it gives is called: what there is to say is kept until then. */
  readonly yield: () => () => void;
}

export type Lines = {
  readonly event: (event: Envelope, run: Run) => string | undefined;
  /** How to answer it, on a line of its own. */
  readonly answer: (event: Envelope, run: Run) => string | undefined;
  readonly call: (update: Extract<Progress, { type: "call" }>["update"]) => string | undefined;
};

/** One JSON object a line; the last one is the result. */
export function jsonView(io: Io): RunView {
  const print = (value: unknown) => io.out(jsonLine(value));
  return {
    take: (progress) => {
      if (progress.type === "event") print({ type: "event", ...progress.event });
      else if (progress.type === "call") {
        const { seq, type } = progress.update;
        if (!("call" in progress.update)) return;
        const { status, request } = progress.update.call;
        print({ type: "call", seq, what: type, id: request.id, tool: request.tool, status });
      } else print(progress);
    },
    yield: () => () => {},
    end: ({ outcome, run, session }, continues) =>
      print({
        type: "result",
        ...outcome,
        session,
        ...(continues !== undefined && { resume: continues }),
        ...(run && { run: run.id, todos: run.plan.todos, spent: run.ledger.spent }),
      }),
  };
}

/** A line for everything that matters; on a terminal a block below them that is drawn anew in place. */
export function textView(io: Io, lines: Lines): RunView {
  const began = io.now();
  let lastTool = "";
  let drawn = 0;
  let latest: Run | undefined;
  let kept: string[] | undefined;
  /** Why it stops; said when something follows, because the end says it itself. */
  let stop: string | undefined;
  const stopClock = io.isTerminal ? io.every(FRAME_MS, draw) : () => {};

  return {
    take(progress) {
      if (progress.type === "event") latest = progress.run;
      const tool = progress.type === "call" ? lines.call(progress.update) : undefined;
      if (tool !== undefined) lastTool = tool;
      const line = lineOf(progress, tool);
      if (line !== undefined && isStop(progress)) stop = line;
      else if (line !== undefined) {
        flushStop();
        for (const part of partsOf(progress, line)) say(part, roleOf(progress));
      }
      const answer = progress.type === "event" ? lines.answer(progress.event, progress.run) : undefined;
      if (answer !== undefined) {
        say(answer);
        io.alert("a call waits for your answer");
      }
      draw();
    },
    yield() {
      erase();
      kept ??= [];
      return () => {
        const lines = kept ?? [];
        kept = undefined;
        for (const line of lines) io.out(line);
        draw();
      };
    },
    end({ outcome, run }, continues) {
      stopClock();
      erase();
      if (stop !== outcome.says) flushStop();
      io.alert(outcome.says);
      if (run) for (const line of summary(run, io)) io.out(line);
      io.out(io.isTerminal ? wrap(outcome.says, io.columns) : outcome.says);
      if (continues !== undefined) io.out(`Continue with: ${continues}`);
    },
  };

  function flushStop(): void {
    if (stop !== undefined) say(stop);
    stop = undefined;
  }

  function lineOf(progress: Progress, tool: string | undefined): string | undefined {
    switch (progress.type) {
      case "event":
        return lines.event(progress.event, progress.run);
      case "call":
        return tool;
      case "said":
        return `agent: ${printable(progress.text)}`;
      case "notice":
        return `tildone: ${progress.text}`;
      case "fault":
        return `problem: ${progress.message}`;
    }
  }

  /** A notice is a whole sentence for you: it is wrapped where other lines are cut. */
  function partsOf({ type }: Progress, line: string): readonly string[] {
    return type === "notice" && io.isTerminal ? wrap(line, io.columns).split("\n") : [line];
  }

  function say(line: string, role: Role = "text"): void {
    erase();
    const text = styleOf(io).role(role, clip(line, io.isTerminal ? io.columns : 400));
    if (kept) kept.push(text);
    else io.out(text);
  }

  function draw(): void {
    if (!io.isTerminal || kept) return;
    erase();
    const style = styleOf(io);
    const frame = frameAt(io.now());
    if (!latest) {
      io.out(style.role("dim", `${frame} waiting for the agent · ${span(io.now() - began)}`));
      drawn = 1;
      return;
    }
    const tokens = countedTokens(latest.ledger.spent);
    const { cost } = latest.ledger.spent;
    const numbers = [
      `${tokens} tokens`,
      ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
      span(io.now() - began),
      `run ${latest.id}`,
    ];
    const under = `${frame} ${numbers.join(" · ")}${lastTool === "" ? "" : ` · ${lastTool}`}`;
    io.out(style.role("accent", clip(headline(latest, io.now()), io.columns - 1)));
    io.out(style.role("dim", clip(under, io.columns - 1)));
    drawn = 2;
  }

  function erase(): void {
    if (drawn > 0) io.out(`\u001b[${drawn}A\u001b[J\u001b[1A`);
    drawn = 0;
  }
}

const isStop = (progress: Progress): boolean =>
  progress.type === "event" &&
  progress.event.event.type === "decision.made" &&
  progress.event.event.decision.type === "stop";

/** How far it is, and what it is at: where a call waits for your answer, it says so. */
function headline(run: Run, now: number): string {
  const { count, active } = viewOf(run, { now });
  const { done, total, text } = count;
  const progress = `${bar(done, total, 20)} ${total === 0 ? "no todos yet" : text}`;
  const waits = run.ledger.approvals.length > 0 ? "waits for your answer" : active;
  return [progress, ...(waits === "" ? [] : [waits])].join("  ");
}

/** The list as it stands at the end, each item with what is known about it, and what it took. */
function summary(run: Run, io: Io): readonly string[] {
  const view = viewOf(run, { now: io.now() });
  const { count, spent } = view;
  const progress = count.total === 0 ? "No todo list" : count.text;
  const times = `told to continue ${spent.continuations} ${spent.continuations === 1 ? "time" : "times"}`;
  const list = listLines(view, io);
  const hidden = list.length - SHOWN_AT_END;
  return [
    ...list.slice(0, SHOWN_AT_END),
    ...(hidden > 0 ? [`(${hidden} more: tildone todo list --run ${run.id})`] : []),
    clip(`${progress}, ${times}, ${spent.tokens} tokens`, io.columns),
  ];
}

const SHOWN_AT_END = 20;

/** Green for what is done, red for what failed, yellow where the agent is told to continue; what tools do is in the background. */
function roleOf(progress: Progress): Role {
  if (progress.type === "call") return progress.update.type === "call.failed" ? "error" : "dim";
  if (progress.type === "fault") return "error";
  if (progress.type !== "event") return "text";
  const { event } = progress.event;
  switch (event.type) {
    case "todo.completed":
      return "success";
    case "round.ended":
      return event.receipts.every(({ status }) => status === "passed") ? "success" : "error";
    case "decision.made":
      return event.decision.type === "continue" ? "warning" : "text";
    case "approval.requested":
      return "accent";
    default:
      return "text";
  }
}
