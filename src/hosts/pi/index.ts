import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { ExtensionAPI, ExtensionContext, ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { openTildone, type Tildone, type TildoneOptions } from "../../compose/index.ts";
import { sayWarning } from "../../config/index.ts";
import { type BoundSession, bindSession } from "./bound-session.ts";
import { COMMANDS, registerCommand } from "./commands/index.ts";
import { asksCheck, registerFlags, replacesWorkflows, settingsFromFlags } from "./flags.ts";
import { createPiHost } from "./host.ts";
import { createNotices, type Notices, registerNotices } from "./notices.ts";
import { registerMessages } from "./nudge-message.ts";
import type { ContextShares } from "./room.ts";
import { withSafeUi } from "./safe-ui.ts";
import { createShells, type Shells } from "./shells.ts";
import { shownTodos, TODO_TOOL_NAMES, todoTools } from "./tools/index.ts";
import { ranWith } from "./translate.ts";
import { unknownCost } from "./usage.ts";
import { stepTool, WRITERS } from "./workflow/index.ts";

/** For tests and for the standalone agent: time, a store that is already open, what the run is about, a home of its own. */
export type PiOptions = Pick<
  TildoneOptions,
  "clock" | "store" | "home" | "goal" | "requirements" | "agent" | "flags" | "program"
> & {
  readonly env?: TildoneOptions["env"];
  /** A program that embeds this shows the list itself: the footer does not repeat what is in progress. */
  readonly isListShown?: boolean;
  /** A program that embeds this says itself what there is to say: nothing is written to standard output or error. */
  readonly onSaid?: (text: string) => void;
  /** A program that embeds this runs the calls itself, and knows which shells are its own. */
  readonly runsCalls?: boolean;
  /** How full the model's context may become; absent, pi alone sees to it. */
  readonly shares?: ContextShares;
  /** The process before died elsewhere, and this one continues its run: only your word stops it. */
  readonly takesOver?: boolean;
  /** Hears why nothing was opened, in place of the person in front of pi. */
  readonly onRefused?: (problem: string) => void;
  /** Hears of each session that is opened, before anything happens in it. */
  readonly onOpen?: (tildone: Tildone, session: string) => void;
};

export { withSafeUi } from "./safe-ui.ts";
export { withRanWith } from "./translate.ts";

/** What you can type after a slash in every pi that holds this. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name);

/** The extension: pi calls it once per session, and all state lives in this call. */
export default function tildone(pi: ExtensionAPI): void {
  wire(pi, {});
}

export const tildoneExtension =
  (options: PiOptions): ExtensionFactory =>
  (pi) =>
    wire(pi, options);

function wire(pi: ExtensionAPI, options: PiOptions): void {
  let bound: BoundSession | undefined;
  let shells: Shells | undefined;
  let problem = "tildone has not been opened in this session yet.";

  registerFlags(pi);
  registerNotices(pi);
  registerMessages(pi);
  for (const command of COMMANDS) registerCommand(pi, current, command, options.onSaid);
  for (const tool of todoTools(() => current().list)) pi.registerTool(tool);
  pi.registerTool(stepTool(() => current().list));

  pi.on("session_start", (_event, ctx) => open(withSafeUi(ctx)));
  pi.on("session_tree", () => bound?.rebase());
  pi.on("session_shutdown", () => close());
  pi.on("input", async (event) => {
    await bound?.boundary.input(event);
  });
  pi.on("context", ({ messages }) => {
    const told = bound?.context(messages);
    return told && { messages: told };
  });
  pi.on("agent_start", () => bound?.boundary.turnStarts());
  pi.on("turn_start", () => bound?.requestStarts());
  pi.on("message_update", async (event) => {
    await bound?.answers.grew(event);
  });
  pi.on("message_end", async ({ message }) => {
    if (message.role === "assistant") await bound?.heard(message);
    const explained = bound?.explain(message);
    return explained && { message: explained };
  });
  pi.on("tool_call", async ({ toolName }) => {
    await bound?.begun();
    return bound?.judge(toolName);
  });
  pi.on("user_bash", ({ command }) => {
    shells?.typed(command);
    return undefined;
  });
  pi.on("tool_execution_start", ({ toolCallId, toolName, args }) => {
    if (!options.runsCalls) shells?.began(toolCallId, toolName, args);
    bound?.calls.began(toolCallId, args);
  });
  pi.on("tool_execution_end", async ({ toolCallId, toolName, result, isError }) => {
    shells?.ended(toolCallId);
    await bound?.calls.over(toolCallId, toolName, { content: result?.content ?? [], isError });
  });
  pi.on("turn_end", (event) => {
    bound?.brake.batchEnded(event.toolResults.length);
    return bound?.renew(event);
  });
  pi.on("tool_result", async ({ toolCallId, toolName, input, content, details, isError }) => {
    await bound?.calls.ended(toolCallId, toolName, ranWith(details) ?? input, { content, isError });
    if (!isError || !TODO_TOOL_NAMES.includes(toolName)) return undefined;
    // A thrown refusal has no details of its own: the list stands as it stood.
    return {
      details: {
        ...(details as object | undefined),
        action: ACTIONS[toolName],
        todos: shownTodos(bound?.list.view().todos ?? []),
      },
    };
  });
  pi.on("session_before_compact", async () => {
    await bound?.tell({ type: "compaction.began" });
  });
  pi.on("session_compact", async () => {
    await bound?.room.made();
  });
  pi.on("session_compact_failed", async ({ aborted }) => {
    await bound?.room.failed(aborted ? "aborted" : "error");
  });
  pi.on("ui_prompt_start", async ({ title }) => {
    await bound?.questions.opened(title);
  });
  pi.on("ui_prompt_end", async () => {
    await bound?.questions.closed();
  });
  pi.on("agent_before_settle", (event) => bound?.boundary.settle(event));
  pi.on("agent_settled", () => bound?.settled());

  /** pi announces a replaced session twice; the second time there is nothing left to do. */
  async function open(ctx: ExtensionContext): Promise<void> {
    if (bound?.session === ctx.sessionManager.getSessionId()) return;
    close();
    const notices = createNotices(pi, ctx, options.onSaid);
    const driver = `pi:${process.pid}:${randomUUID().slice(0, 8)}`;
    const host = createPiHost(pi, ctx, {
      clock: () => current().tildone.clock,
      runOf: () => current().run()?.id ?? "",
      notices,
      gone: close,
    });
    const {
      onOpen,
      onRefused: _refused,
      flags,
      onSaid: _,
      runsCalls: _runs,
      isListShown = false,
      shares,
      takesOver = false,
      env = process.env,
      home = homedir(),
      ...own
    } = options;
    const here = { cwd: ctx.cwd, env, home };
    const opened = await openTildone({
      host,
      driver: env.TILDONE_DRIVER ?? driver,
      ...here,
      ...own,
      writers: WRITERS,
      flags: { ...flags, ...settingsFromFlags(pi, ctx.mode) },
    });
    if (!opened.ok)
      return refuse(notices, `tildone is off, because its configuration is wrong: ${opened.problems.join(" ")}`);
    const unknown = unknownCost(opened.tildone.config, ctx.model);
    if (unknown !== undefined) {
      opened.tildone.dispose();
      return refuse(notices, `tildone is off: ${unknown}`);
    }
    bound = bindSession({
      pi,
      ctx,
      tildone: opened.tildone,
      host,
      notices,
      driver,
      here,
      replacesWorkflows: replacesWorkflows(pi),
      asksCheck: asksCheck(pi),
      shares,
      isListShown,
      takesOver,
    });
    shells = createShells(opened.tildone.groups);
    onOpen?.({ ...opened.tildone, dispose: close }, bound.session); // the program that embeds pi ends us; pi itself may not tell
    for (const warning of opened.tildone.warnings) notices.show({ type: "text", text: sayWarning(warning) });
    if (asksCheck(pi)) {
      const { unstartable } = await import("../../checks/index.ts");
      for (const text of unstartable(opened.tildone.config.checks.run, here)) notices.show({ type: "text", text });
    }
    await bound.rebase();
    await bound.reportDrift();
  }

  function refuse(notices: Notices, why: string): void {
    problem = why;
    if (options.onRefused) options.onRefused(why);
    else notices.show({ type: "text", text: why });
  }

  function close(): void {
    shells?.dispose();
    shells = undefined;
    bound?.dispose();
    bound = undefined;
  }

  function current(): BoundSession {
    if (!bound) throw new Error(problem);
    return bound;
  }
}

const ACTIONS: Readonly<Record<string, string>> = { write_todos: "write", list_todos: "list", edit_todos: "edit" };
