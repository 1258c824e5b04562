import { homedir } from "node:os";
import { join } from "node:path";
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  getAgentDir,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import {
  projectTrust,
  type Tildone,
  type TildoneOptions,
  trustsPi,
  unreadContext,
  type Whereabouts,
} from "../compose/index.ts";
import { visible } from "../core/text/index.ts";
import { tildoneExtension } from "../hosts/pi/index.ts";
import type { Scheduler } from "../scheduler/index.ts";
import { roomFor, STOP_ABOVE } from "./context-room.ts";
import { openShell } from "./open-shell.ts";
import { schedulerOf } from "./run-scheduler.ts";
import { scheduledTools } from "./scheduled-tools.ts";

export type Model = NonNullable<Parameters<typeof createAgentSession>[0]>["model"];

export interface AgentOptions
  extends Pick<TildoneOptions, "cwd" | "env" | "home" | "flags" | "goal" | "requirements" | "agent"> {
  readonly modelRuntime?: ModelRuntime;
  readonly model?: Model;
  readonly thinkingLevel?: NonNullable<Parameters<typeof createAgentSession>[0]>["thinkingLevel"];
  readonly sessionManager?: SessionManager;
  readonly settingsManager?: SettingsManager;
  /** Nothing of the user's or the project's is loaded: extensions, skills, prompts, context files. */
  readonly bare?: boolean;
  /** The process before died elsewhere: its run continues where it was, with what you said meanwhile. */
  readonly takesOver?: boolean;
  readonly bindings: Pick<Parameters<AgentSession["bindExtensions"]>[0], "mode" | "uiContext">;
  /** Says what tildone has to say, where pi has no terminal to say it in. */
  readonly onSaid?: (text: string) => void;
  /** Hears of what cannot be told elsewhere. */
  readonly onFault?: (message: string) => void;
}

export interface Agent {
  readonly session: AgentSession;
  readonly tildone: Tildone;
  readonly scheduler: Scheduler;
  readonly dispose: () => Promise<void>;
}

/** pi's agent with tildone inside: its loop, its sessions and its tools, our list, our engine and our scheduler. */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { cwd, env, onFault = () => {} } = options;
  const agentDir = getAgentDir();
  const here = { cwd, env, home: options.home ?? homedir() };
  const projectTrusted = trustsPi(here);
  const strange = options.bare ? undefined : unreadContext(cwd);
  const settingsManager = options.settingsManager ?? SettingsManager.create(cwd, agentDir, { projectTrusted });
  const shell = await openShell({ ...here, flags: options.flags, shellPath: settingsManager.getShellPath() });
  if (shell.status === "refused") throw new NotOpened(shell.problem);
  const tools = scheduledTools(cwd, env.PATH, settingsManager, shell);
  const opened = Promise.withResolvers<{ tildone: Tildone; session: string }>();
  opened.promise.catch(() => {}); // it is looked at when the session is bound
  const { home, flags, goal, requirements, agent } = options;
  const ours = tildoneExtension({
    env,
    program: "tildone run",
    runsCalls: true,
    home,
    flags,
    goal,
    requirements,
    agent,
    onSaid: options.onSaid,
    shares: { stopAbove: STOP_ABOVE },
    ...(options.takesOver && { takesOver: true }),
    onOpen: (tildone, session) => opened.resolve({ tildone, session }),
    onRefused: (problem) => opened.reject(new NotOpened(problem)),
  });
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    extensionFactories: [ours, tools.extension],
    ...(strange !== undefined && { noContextFiles: true }),
    ...(options.bare && {
      noExtensions: true,
      noSkills: true,
      noPromptTemplates: true,
      noThemes: true,
      noContextFiles: true,
    }),
  });
  await resourceLoader.reload();
  const modelRuntime = options.modelRuntime ?? (await ModelRuntime.create({ authPath: join(agentDir, "auth.json") }));
  const { session } = await createAgentSession({
    cwd,
    agentDir,
    settingsManager,
    resourceLoader,
    modelRuntime,
    sessionManager: options.sessionManager ?? SessionManager.create(cwd),
    ...(options.model && { model: options.model }),
    ...(options.thinkingLevel && { thinkingLevel: options.thinkingLevel }),
  });
  let fault: string | undefined;
  await session.bindExtensions({
    ...options.bindings,
    onError: ({ event, error }) => {
      fault ??= error;
      onFault(`${event}: ${error}`);
    },
  });
  const usual = settingsManager.getDefaultTools() ?? PIS_TOOLS;
  session.setActiveToolsByName(
    session.getActiveToolNames().filter((name) => usual.includes(name) || !tools.names.includes(name)),
  );
  const { tildone, session: key } = await withinReach(opened.promise, () => fault).catch((error: unknown) => {
    session.dispose();
    shell.dispose();
    throw error;
  });
  limitAnswers(session, tildone.config.agent.maxTokens);
  if (tildone.config.limits.enabled)
    settingsManager.applyOverrides({ ...patience(settingsManager), ...roomFor(session.model, settingsManager) });
  const scheduler = schedulerOf(tildone, key, { cwd, env, tools: tools.box }, onFault);
  tools.attach(scheduler, tildone.groups);
  if (shell.notice !== undefined) options.onSaid?.(shell.notice);
  if (strange !== undefined) options.onSaid?.(notRead(strange));
  if (!options.bare) await sayUntrusted(here, options.onSaid);
  return {
    session,
    tildone,
    scheduler,
    dispose: async () => {
      await scheduler.dispose();
      session.dispose();
      shell.dispose();
      tildone.dispose(); // pi tells its extensions of the end only when its own modes end
    },
  };
}

export const notRead = (path: string): string =>
  `AGENTS.md is not read: ${visible(path)} is a link out of the project, not a plain file, or too large. Remove it.`;

/** One line: what is here and is not loaded, and what to do about it. */
async function sayUntrusted(here: Whereabouts, say: ((text: string) => void) | undefined): Promise<void> {
  const untrusted = (await projectTrust(here))?.untrusted ?? [];
  if (untrusted.length === 0 || !say) return;
  const [first, ...more] = untrusted.map(visible);
  const named = more.length === 0 ? first : `${first} and ${more.length} more`;
  say(`Not loaded, because you have not trusted this project: ${named}. \`tildone trust\` shows and loads them.`);
}

/** tildone refused to work with this configuration and this model; the message says why. */
export class NotOpened extends Error {}

/** The model is the same but for the most that it may answer; pi asks for as much as the model says it can. */
function limitAnswers({ agent, model }: AgentSession, maxTokens: number | undefined): void {
  if (model && maxTokens !== undefined)
    agent.state.model = { ...model, maxTokens: Math.min(maxTokens, model.maxTokens) };
}

/** What pi gives to a model, unless its settings name others. */
const PIS_TOOLS: readonly string[] = ["read", "bash", "edit", "write"];

/** pi reads what a refusal says about coming back only where it may try once more itself; its retries after that do not. */
const patience = (settings: SettingsManager) => ({
  retry: { provider: { maxRetries: settings.getProviderRetrySettings().maxRetries ?? 1 } },
});

/** The extension opens in `session_start`, which `bindExtensions` awaits: what is not open now never will be. */
async function withinReach<T>(opening: Promise<T>, fault: () => string | undefined): Promise<T> {
  const never = Symbol();
  const result = await Promise.race([opening, new Promise((done) => setImmediate(done, never))]);
  if (result === never)
    throw new Error(`tildone could not be opened: ${fault() ?? "its configuration is wrong (tildone config)."}`);
  return result as T;
}
