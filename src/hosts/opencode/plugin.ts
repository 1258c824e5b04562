import { homedir } from "node:os";
import { createPrelude, onInterrupt, openTildone, systemClock, type TildoneOptions } from "../../compose/index.ts";
import { sayWarning } from "../../config/index.ts";
import { isCommand } from "../../core/command/index.ts";
import { redact, secretsOf } from "../../core/secret/index.ts";
import { wholeContext } from "../../core/words/index.ts";
import { contextBlock, gate } from "../../core/workflow/index.ts";
import { bindContinued, type Host } from "../../engine/index.ts";
import { createAgents } from "./agents.ts";
import { CAPABILITIES, type Driver } from "./capabilities.ts";
import { carryOut, DESCRIPTIONS } from "./commands.ts";
import { driverOf } from "./driver-of.ts";
import { createEventRoute } from "./event-route.ts";
import { dataOf, fieldsOf, type HostEvent, type PluginInput, type TextPart, textAt } from "./payload.ts";
import { bindRoot, type RootSession } from "./root-session.ts";
import { createScreen } from "./screen.ts";
import { createSessionTree } from "./session-tree.ts";
import { createTools, OWN_TOOLS } from "./tools.ts";
import { kindsOf, WRITERS } from "./translate.ts";
import { answeredPrompt, become, isAtWork, isUnasked, unaskedPart } from "./unasked.ts";

const HOST = "opencode";

/** What `opencode.json` may say beside the plugin's name. */
export interface PluginOptions {
  /** `loop` for `opencode run`, `idle` for everything that stays; by the command that started OpenCode if it is not set. */
  readonly driver?: Driver;
}

/** For tests: time, a store that is already open, a home of its own. OpenCode gives none of it. */
export type Surroundings = Partial<Pick<TildoneOptions, "clock" | "store" | "env" | "home">>;

/** What the plugin refuses on purpose: the only errors that reach OpenCode. */
class Refused extends Error {}

/** One instance per project directory: OpenCode calls this once for each and tells it everything by these hooks. */
export async function createPlugin(
  { client, directory }: PluginInput,
  options: PluginOptions = {},
  { clock = systemClock(), env = process.env, home = homedir(), ...own }: Surroundings = {},
) {
  const driver = options.driver ?? driverOf(process.argv);
  const here = { cwd: directory, env, home };
  const secrets = secretsOf(env);
  const hide = (text: string): string => redact(text, secrets);
  const roots = new Map<string, RootSession>();
  const screen = createScreen(client, clock, driver);
  const tree = createSessionTree(async (id) => (await dataOf(client.session.get({ path: { id } }))).parentID);
  const agents = createAgents(client, here, HOST);

  const host: Host = {
    name: HOST,
    capabilities: CAPABILITIES[driver],
    // In the loop a nudge answers a boundary that was looked at just before.
    ...(driver === "idle" && { recheck: (session: string) => root(session).recheck() }),
    nudge: (session, nudge) => root(session).send(nudge),
    deliver: (session, words) => root(session).deliver(words),
    show: (session, notice) => {
      const isReadOnly = notice.type === "stopped" && notice.reason === "read_only";
      screen.show(session, notice, isReadOnly ? root(session).whyReadOnly() : undefined);
    },
    endTurn: (session, end) => root(session).end(end),
  };
  const opened = await openTildone({
    host,
    ...here,
    ...own,
    clock,
    writers: WRITERS,
    ...(driver === "loop" && { flags: { countdown: "0" } }), // no one watches a countdown
  });
  if (!opened.ok) {
    screen.say(`tildone is off, because its configuration is wrong: ${opened.problems.join(" ")}`, "error");
    return {};
  }
  const { engine, store, config, dispose, warnings } = opened.tildone;
  for (const warning of warnings) screen.say(sayWarning(warning));
  engine.watch(screen.follow);
  engine.watch((session, _run, events) => {
    for (const envelope of events) roots.get(session)?.permissions.heard(envelope);
  });
  const unheard = driver === "loop" ? onInterrupt(engine, () => roots.keys()) : () => {};
  const route = createEventRoute({ tree, root, forget });

  return {
    dispose: async () => {
      await Promise.allSettled([...roots.values()].map((each) => each.finished()));
      for (const each of roots.values()) each.close();
      screen.dispose();
      unheard();
      dispose();
    },
    config: async (cfg: { command?: Record<string, unknown> }) => {
      cfg.command ??= {};
      for (const [name, description] of Object.entries(DESCRIPTIONS))
        cfg.command[name] ??= { description, template: "$ARGUMENTS" };
    },
    event: safely(async ({ event }: { event: HostEvent }) => route(event)),
    "chat.message": safely(
      async ({ sessionID }: InSession, { message, parts }: { message: Record<string, unknown>; parts: unknown[] }) => {
        if (isUnasked(parts)) return unasked(sessionID, message, parts);
        if ((await tree.rootOf(sessionID)) === sessionID) await root(sessionID).prompted(message, parts);
      },
    ),
    "chat.params": safely(async ({ sessionID, agent }: InSession & { agent: unknown }) => {
      const name = typeof agent === "string" ? agent : (textAt(fieldsOf(agent), "name") ?? "");
      if (name !== "title" && (await tree.rootOf(sessionID)) === sessionID) await root(sessionID).requestStarts(name);
    }),
    "tool.execute.before": safely(
      async ({ tool, sessionID, callID = "" }: InCall, call: { readonly args?: unknown } = {}) => {
        const top = await tree.rootOf(sessionID);
        root(top).permissions.began(sessionID, callID, tool, call.args);
        const refusal = root(top).refusal();
        if (refusal !== undefined) throw new Refused(refusal);
        if (top === sessionID) await root(sessionID).callStarts(callID);
        await engine.begun(top);
        if (OWN_TOOLS.includes(tool)) return;
        const gated = gate(engine.run(top)?.plan.workflow, tool, kindsOf(tool));
        if (!gated.allowed) throw new Refused(gated.reason);
      },
    ),
    "tool.execute.after": safely(async ({ tool, sessionID, callID = "", args }: InCall & { args: unknown }, result) => {
      const top = await tree.rootOf(sessionID);
      root(top).permissions.ended(callID);
      if (top === sessionID) await root(sessionID).callEnds(tool, callID, fieldsOf(args), fieldsOf(result));
    }),
    "experimental.text.complete": safely(async ({ sessionID }: InSession, { text }: { text: string }) => {
      if ((await tree.rootOf(sessionID)) === sessionID) await root(sessionID).textOver(text);
    }),
    "experimental.chat.system.transform": safely(
      async ({ sessionID }: Partial<InSession>, { system }: { system: string[] }) => {
        if (sessionID === undefined) return;
        const block = contextBlock(engine.run(await tree.rootOf(sessionID))?.plan.workflow);
        if (block !== undefined) system.push(block);
      },
    ),
    "experimental.session.compacting": safely(async ({ sessionID }: InSession, { context }: { context: string[] }) => {
      const run = engine.run(sessionID);
      const text = run?.status === "live" ? wholeContext(run) : "";
      if (text !== "") context.push(text);
    }),
    // The idle that follows is ours to decide; inside the loop there is none, and OpenCode's own prompt continues.
    "experimental.compaction.autocontinue": safely(async ({ sessionID }: InSession, output: { enabled: boolean }) => {
      if (driver === "idle" && engine.run(sessionID)?.status === "live") output.enabled = false;
    }),
    "command.execute.before": safely(
      async (
        { command, sessionID, arguments: args }: InSession & { command: string; arguments: string },
        output: { readonly parts: unknown[] },
      ) => {
        if (!isCommand(command)) return;
        const wasAtWork = await isAtWork(client, sessionID); // first: a hold may end it
        const said = await carryOut(command, args, root(await tree.rootOf(sessionID)), here);
        const replaceBy = (part: TextPart) => output.parts.splice(0, output.parts.length, part); // another array is not looked at
        if (said.type === "begins") return void replaceBy({ type: "text", text: said.text });
        screen.say(said.text, "info");
        const isQuiet = !(said.ends && wasAtWork) && (await answeredPrompt(client, sessionID)) !== undefined;
        if (said.asks !== undefined && (driver === "loop" || !isQuiet)) replaceBy({ type: "text", text: said.asks });
        else if (isQuiet) replaceBy(unaskedPart(said.text));
        else throw new Refused(said.text); // the model would be asked; the terminal shows only the toast
      },
    ),
    tool: createTools(async (session) => {
      const top = await tree.rootOf(session);
      const { tell, run } = root(top);
      return { by: top === session ? "model" : "subagent", tell, run };
    }),
  };

  /** Looked at once more, as late as can be: where the model would be asked the command is refused after all. */
  async function unasked(session: string, message: Record<string, unknown>, parts: unknown[]): Promise<void> {
    const prompt = await answeredPrompt(client, session);
    if (!prompt) throw new Refused("The session has moved on; send it again.");
    become(prompt, message, parts);
    if ((await tree.rootOf(session)) === session) root(session).unasked();
  }

  function root(session: string): RootSession {
    const known = roots.get(session);
    if (known) return known;
    const before = env.TILDONE_CONTINUES; // a supervisor started this session to continue the run of another one
    if (before) bindContinued(store, { host: HOST, session, before }, clock.now());
    const made = bindRoot(session, {
      client,
      engine,
      clock,
      tree,
      agents,
      driver,
      redact: hide,
      prelude: createPrelude({ config, clock, host, session, say: screen.say, cwd: directory }),
      say: screen.say,
    });
    roots.set(session, made);
    return made;
  }

  /** You deleted the session, and with it what the agent worked on. */
  async function forget(session: string): Promise<void> {
    if (engine.run(session)?.status === "live") await engine.tell(session, { type: "human.clear" });
    roots.get(session)?.close();
    roots.delete(session);
    tree.forget(session);
    screen.forget(session);
    engine.forget(session);
  }

  /** An error of ours is shown and goes no further: OpenCode would take it for one of the tool or of the prompt. */
  function safely<A extends readonly unknown[]>(hook: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
    return async (...args) => {
      try {
        await hook(...args);
      } catch (error) {
        if (error instanceof Refused) throw error;
        screen.say(`tildone failed: ${error instanceof Error ? error.message : String(error)}`, "error");
      }
    };
  }
}

interface InSession {
  readonly sessionID: string;
}
interface InCall extends InSession {
  readonly tool: string;
  readonly callID?: string;
}
