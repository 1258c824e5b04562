import { randomUUID } from "node:crypto";
import {
  type ExtensionAPI,
  type ExtensionFactory,
  getAgentDir,
  InteractiveMode,
  main,
  SettingsManager,
  type Theme,
} from "@earendil-works/pi-coding-agent";
import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import { type Tildone, trustsPi, unreadContext, type Whereabouts } from "../../compose/index.ts";
import { yoloText } from "../../core/call/index.ts";
import { ending, terminalAlert } from "../../core/text/index.ts";
import { COMMAND_NAMES, tildoneExtension, withSafeUi } from "../../hosts/pi/index.ts";
import { createMessageQueue, type Scheduler } from "../../scheduler/index.ts";
import { NO_KEY, PROVIDER, providerAt } from "../choose-model.ts";
import { COMPACT_ABOVE, STOP_ABOVE } from "../context-room.ts";
import { NotOpened, notRead } from "../open-agent.ts";
import { openShell } from "../open-shell.ts";
import { schedulerOf } from "../run-scheduler.ts";
import { scheduledTools } from "../scheduled-tools.ts";
import { createApprovalDialog } from "./approval-dialog.ts";
import { builtinCommands } from "./commands/builtin-commands.ts";
import { PI_COMMANDS } from "./commands/pi-commands.ts";
import { readCommandFiles } from "./commands/read-command-files.ts";
import { registerCommands } from "./commands/register-commands.ts";
import { terminalHost } from "./commands/terminal-host.ts";
import { sayOwnExitLine } from "./exit-line.ts";
import type { OpenSession } from "./open-session.ts";
import { ownCommandsFirst } from "./own-commands-first.ts";
import { createPrompts } from "./prompts.ts";
import { watchQueue } from "./queue-words.ts";
import { quietTools } from "./quiet-tools.ts";
import { STATUS_KEY, showRun } from "./show-run.ts";
import { wordsOfHuman } from "./words-of-human.ts";

/** pi's terminal interface with tildone inside. `args` are pi's own. Resolves when you leave. */
export async function runInteractive(
  args: readonly string[],
  here: Whereabouts,
  { version, endpoint }: InteractiveOptions,
): Promise<void> {
  quietTools(InteractiveMode);
  const { cwd, env } = here;
  const isTrusted = trustsPi(here);
  // They may change while this lives.
  const settings = () => SettingsManager.create(cwd, getAgentDir(), { projectTrusted: isTrusted });
  const shell = await openShell({ ...here, shellPath: settings().getShellPath() });
  if (shell.status === "refused") throw new NotOpened(shell.problem);
  process.once("exit", shell.dispose); // pi ends the process itself
  const tools = scheduledTools(cwd, env.PATH, settings(), shell);
  let opened: { readonly tildone: Tildone; readonly session: string; readonly scheduler: Scheduler } | undefined;
  let shown: OpenSession | undefined;
  let end = () => {};

  const ours = tildoneExtension({
    env,
    program: "tildone",
    runsCalls: true,
    agent: "coder",
    isListShown: true,
    // pi's own threshold can be set only from within; what it would do later is asked of it earlier.
    shares: {
      stopAbove: STOP_ABOVE,
      compactAbove: COMPACT_ABOVE,
      mayCompact: () => settings().getCompactionEnabled(),
    },
    onOpen: (tildone, session) => {
      const scheduler = schedulerOf(tildone, session, { cwd, env, tools: tools.box }, () => {});
      opened = { tildone, session, scheduler };
      tools.attach(scheduler, tildone.groups);
    },
  });
  const terminal: ExtensionFactory = (pi) => {
    if (endpoint) pi.registerProvider(PROVIDER, providerAt(endpoint));
    tools.extension(pi);
    pi.on("project_trust", (event) => ({ trusted: trustsPi({ ...here, cwd: event.cwd }) ? "yes" : "no" }));
    const builtin = builtinCommands(current, cwd, async (words) => {
      const { tildone, session } = current();
      await tildone.engine.tell(session, { type: "human.spoke" });
      pi.sendUserMessage(words, { deliverAs: "steer" });
    });
    const taken = new Set([...PI_COMMANDS, ...COMMAND_NAMES, ...builtin.map(({ name }) => name)]);
    const files = readCommandFiles(here, taken, (line) => printed(pi, line));
    registerCommands(pi, builtin, (ctx) => terminalHost({ pi, current, ctx, by: "human" }));
    registerCommands(pi, files.commands, (ctx) => terminalHost({ pi, current, ctx, by: "model" }));
    pi.on("session_start", (_event, ctx) => {
      const { ui, mode, modelRegistry } = withSafeUi(ctx);
      close();
      if (mode !== "tui") return;
      if (!settings().getQuietStartup()) ui.setHeader((_tui, theme) => header(version, theme));
      ui.addAutocompleteProvider(ownCommandsFirst(new Set([...COMMAND_NAMES, ...builtin.map(({ name }) => name)])));
      if (modelRegistry.getAvailable().length === 0) ui.notify(NO_KEY, "warning");
      if (!opened) return ui.setStatus(STATUS_KEY, "continuation off: the configuration is wrong (tildone config)");
      const { tildone, session, scheduler } = opened;
      const prompts = createPrompts(ui, tildone.clock);
      const approvals = createApprovalDialog(scheduler, ui, prompts);
      shown = { ...opened, tools, approvals, prompts, queue: createMessageQueue(tildone.engine, session, randomUUID) };
      const hide = showRun(shown, ui, (text) => process.stdout.write(terminalAlert(text, env)));
      const unwatch = watchQueue(shown, ui, () => ctx.hasPendingMessages());
      end = () => {
        hide();
        unwatch();
        approvals.dispose();
        prompts.dispose();
      };
      const { mode: approval, protectInYolo } = tildone.config.approval;
      if (approval === "yolo") ui.notify(yoloText(protectInYolo), "warning");
      for (const problem of files.problems) ui.notify(problem, "warning");
      if (strange !== undefined) ui.notify(notRead(strange), "warning");
      if (shell.notice !== undefined) ui.notify(shell.notice, "warning");
    });
    pi.on("ui_prompt_start", () => shown?.prompts.opened());
    pi.on("ui_prompt_end", () => shown?.prompts.closed());
    pi.on("session_shutdown", async ({ reason }) => {
      close();
      if (reason === "quit") sayOwnExitLine(process.stdout);
      await opened?.scheduler.dispose();
      opened = undefined;
    });
  };
  // Without resources at the start pi would load, at a later reload, whatever the agent wrote there meanwhile.
  const isSaid = args.some((word) => TRUST_OPTIONS.has(word));
  const strange = unreadContext(cwd);
  const options = [...(isTrusted || isSaid ? [] : ["--no-approve"]), ...(strange === undefined ? [] : ["-nc"])];
  const named = endpoint ? ["--provider", PROVIDER, "--model", endpoint.model] : [];
  await main([...options, ...named, ...args], {
    extensionFactories: [
      { name: "tildone messages", factory: wordsOfHuman(() => shown), hidden: true },
      { name: "tildone", factory: ours, hidden: true },
      { name: "tildone terminal", factory: terminal, hidden: true },
    ],
  });

  function current(): OpenSession {
    if (!shown) throw new Error("tildone is not open in this session. See the notice above.");
    return shown;
  }

  function close(): void {
    end();
    end = () => {};
    shown = undefined;
  }
}

export interface InteractiveOptions {
  /** Of tildone. */
  readonly version: string;
  /** A server of yours instead of a provider that pi knows. */
  readonly endpoint?: { readonly baseUrl: string; readonly model: string; readonly apiKey?: string };
}

/** What stands at the top: what this is, and the keys that matter. */
const header = (version: string, theme: Pick<Theme, "fg" | "bold">): Component => ({
  render: (width) =>
    [
      `${theme.bold("tildone")} ${theme.fg("dim", version)}  works until the todo list is done and proven`,
      theme.fg("dim", "Esc stops · / commands · @ files · ! shell · Ctrl-C twice leaves"),
      "",
    ].map((line) => truncateToWidth(` ${line}`, width)),
  invalidate: () => {},
});

/** pi's own words about trust, for one session. */
const TRUST_OPTIONS: ReadonlySet<string> = new Set(["-a", "--approve", "-na", "--no-approve"]);

const MOST_PRINTED = 20_000;
const SHELL_MS = 60_000;

async function printed(pi: ExtensionAPI, line: string): Promise<string> {
  const { stdout, stderr, code, killed } = await pi.exec("bash", ["-c", line], { timeout: SHELL_MS });
  if (killed) throw new Error(`"${line}" did not end within ${SHELL_MS / 1000} s`);
  const said = ending(`${stdout}${stderr}`.trim(), MOST_PRINTED);
  return code === 0 ? said : `${said}\n(exit status ${code})`;
}
