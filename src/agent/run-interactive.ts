import { type ExtensionContext, type ExtensionFactory, main } from "@earendil-works/pi-coding-agent";
import type { Tildone } from "../compose/index.ts";
import type { Environment } from "../config/index.ts";
import type { Stored } from "../engine/index.ts";
import { tildoneExtension } from "../hosts/pi/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import { askInTerminal } from "./ask-in-terminal.ts";
import { listWidget } from "./list-widget.ts";
import { schedulerOf } from "./run-scheduler.ts";
import { scheduledTools } from "./scheduled-tools.ts";

/** pi's terminal interface with tildone inside. `args` are pi's own. Resolves when the human leaves. */
export async function runInteractive(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<void> {
  const tools = scheduledTools(cwd, env.PATH);
  let scheduler: Scheduler | undefined;
  let opened: { readonly tildone: Tildone; readonly session: string } | undefined;
  let ends: (() => void)[] = [];

  const ours = tildoneExtension({
    env,
    agent: "coder",
    onOpen: (tildone, session) => {
      opened = { tildone, session };
      scheduler = schedulerOf(tildone, session, { cwd, env, tools: tools.box }, () => {});
      tools.attach(scheduler);
    },
  });
  const terminal: ExtensionFactory = (pi) => {
    tools.extension(pi);
    pi.on("session_start", (_event, ctx) => {
      close();
      if (opened && scheduler && ctx.mode === "tui") ends = show(opened, scheduler, ctx);
    });
    pi.on("session_shutdown", async () => {
      close();
      await scheduler?.dispose();
      scheduler = undefined;
    });
  };
  await main([...args], {
    extensionFactories: [
      { name: "tildone", factory: ours, hidden: true },
      { name: "tildone terminal", factory: terminal, hidden: true },
    ],
  });

  function close(): void {
    for (const end of ends) end();
    ends = [];
  }
}

/** What the terminal shows besides the conversation: the list, the calls, and whether the agent is sent on. */
function show(
  { tildone, session }: { readonly tildone: Tildone; readonly session: string },
  scheduler: Scheduler,
  { ui }: ExtensionContext,
): (() => void)[] {
  const { engine, config } = tildone;
  const list = () => ui.setWidget("tildone-list", listWidget(engine.run(session)));
  const calls = () => ui.setStatus("tildone-calls", callsText(scheduler));
  ui.setStatus("tildone-on", config.off === undefined ? undefined : `continuation off: ${config.off}`);
  list();
  return [
    engine.watch((_session, _run, events) => {
      list();
      if (events.some(isStop)) process.stdout.write(BELL);
    }),
    scheduler.observe((update) => {
      if (update.type === "call.entered" || update.type === "calls.settled") calls();
    }),
    askInTerminal(scheduler, ui),
  ];
}

function callsText(scheduler: Scheduler): string | undefined {
  const { calls } = scheduler.snapshot();
  const count = (status: string) => calls.filter((call) => call.status === status).length;
  const parts = [
    ...(count("executing") > 0 ? [`${count("executing")} running`] : []),
    ...(count("scheduled") > 0 ? [`${count("scheduled")} waiting`] : []),
    ...(count("awaiting_approval") > 0 ? [`${count("awaiting_approval")} asking`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

const BELL = "\u0007";

const isStop = ({ event }: Stored): boolean =>
  (event as { type: string; decision?: { type: string } }).type === "decision.made" &&
  (event as { decision?: { type: string } }).decision?.type === "stop";
