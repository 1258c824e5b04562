import { realpathSync } from "node:fs";
import {
  type AgentToolResult,
  type AgentToolUpdateCallback,
  createBashToolDefinition,
  createEditToolDefinition,
  createFindToolDefinition,
  createGrepToolDefinition,
  createLsToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  type ExtensionContext,
  type ExtensionFactory,
  type SettingsManager,
  type ToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { Value } from "typebox/value";
import {
  type CallRequest,
  type Claim,
  digestOf,
  pathWithin,
  type SettledCall,
  type ToolKind,
} from "../core/call/index.ts";
import { clipLine } from "../core/text/index.ts";
import { withRanWith } from "../hosts/pi/index.ts";
import { type ProcessGroups, type RecordedShells, recordShells } from "../machine/index.ts";
import { type Parsed, type Scheduler, type Tool, type ToolBox, toolBox } from "../scheduler/index.ts";
import { withoutDenied } from "./denied-lines.ts";
import { editPreview, writePreview } from "./file-preview.ts";
import type { AgentShell } from "./open-shell.ts";
import { namesOf, pathOfTool } from "./tool-paths.ts";

/** pi's own coding tools, every call of which goes through our scheduler. */
export interface ScheduledTools {
  /** Registers the tools under pi's own names, over pi's own definitions. */
  readonly extension: ExtensionFactory;
  readonly box: ToolBox;
  /** pi activates whatever is registered; which of these it would activate by itself is its own affair. */
  readonly names: readonly string[];
  /** Who runs the calls, and who ends their shells if we are killed; known only once the session is open. */
  readonly attach: (scheduler: Scheduler, groups?: ProcessGroups) => void;
  /** A call that the user makes, by the same way as those of the model. */
  readonly call: (request: CallRequest, ctx: ExtensionContext, signal: AbortSignal) => Promise<SettledCall>;
}

const KINDS = {
  read: { kind: "read", access: "read" },
  grep: { kind: "read", access: "read" },
  find: { kind: "read", access: "read" },
  ls: { kind: "read", access: "read" },
  edit: { kind: "edit", access: "write" },
  write: { kind: "edit", access: "write" },
  bash: { kind: "execute" },
} as const satisfies Record<string, { kind: ToolKind; access?: Claim["access"] }>;

type Name = keyof typeof KINDS;

/** Of changed arguments, in characters: a whole file need not come back. */
const MOST_TOLD = 2_000;

/** What pi hands to a tool besides its arguments: it goes around the scheduler, by the id of the call. */
interface Aside {
  readonly onUpdate: AgentToolUpdateCallback<unknown> | undefined;
  readonly ctx: ExtensionContext;
  /** The command, where you typed it. */
  readonly typed?: string;
}

export function scheduledTools(
  cwd: string,
  path: string | undefined,
  settings: SettingsManager,
  { operations, guideline }: Pick<AgentShell, "operations" | "guideline">,
): ScheduledTools {
  const commandPrefix = settings.getShellCommandPrefix();
  const definitions: Readonly<Record<Name, ToolDefinition>> = {
    read: createReadToolDefinition(cwd, { autoResizeImages: settings.getImageAutoResize() }) as never,
    grep: createGrepToolDefinition(cwd) as never,
    find: createFindToolDefinition(cwd) as never,
    ls: createLsToolDefinition(cwd) as never,
    edit: createEditToolDefinition(cwd) as never,
    write: createWriteToolDefinition(cwd) as never,
    bash: createBashToolDefinition(cwd, {
      operations,
      ...(commandPrefix !== undefined && { commandPrefix }),
      spawnHook: (context) => {
        const isTyped = [...asides.values()].some(
          ({ typed }) => typed !== undefined && context.command.endsWith(typed),
        );
        shells?.expect(context.command, isTyped ? "human" : "call");
        return { ...context, env: { ...context.env, ...(path !== undefined && { PATH: path }), ...shells?.mark } };
      },
    }) as never,
  };
  if (guideline !== undefined)
    definitions.bash.promptGuidelines = [...(definitions.bash.promptGuidelines ?? []), guideline];
  const asides = new Map<string, Aside>();
  let scheduler: Scheduler | undefined;
  let shells: RecordedShells | undefined;
  const names = Object.keys(KINDS) as Name[];

  return {
    names,
    box: toolBox(names.map((name) => toolOf(name, definitions[name], { cwd, asides }))),
    attach: (given, groups) => {
      scheduler = given;
      shells?.dispose();
      shells = groups && recordShells(groups);
    },
    extension: (pi) => {
      for (const name of names)
        pi.registerTool({
          ...definitions[name],
          execute: async (id, args, signal, onUpdate, ctx) =>
            resultOf(args, await call({ id, tool: name, args }, { onUpdate, ctx }, signal)),
        });
    },
    call: (request, ctx, signal) => {
      const typed = request.by === "human" ? textIn(request.args, "command") : undefined;
      return call(request, { onUpdate: undefined, ctx, typed }, signal);
    },
  };

  async function call(request: CallRequest, aside: Aside, signal: AbortSignal | undefined): Promise<SettledCall> {
    if (!scheduler) throw new Error("tildone is not open in this session, so no tool runs. See the notice above.");
    asides.set(request.id, aside);
    try {
      const [settled] = await scheduler.schedule([request], signal);
      return settled!;
    } finally {
      asides.delete(request.id);
    }
  }
}

function toolOf(name: Name, definition: ToolDefinition, { cwd, asides }: Where): Tool {
  const { kind, access } = KINDS[name] as { kind: ToolKind; access?: Claim["access"] };
  return {
    name,
    kind,
    parse: (args) => parsed(definition, args),
    ...(access && {
      claims: (args) => touched(name, args, cwd).map((path) => ({ path, access })),
      describe: (args) => `${name} ${shownPath(touched(name, args, cwd), cwd)}`,
    }),
    ...(name === "edit" && {
      preview: (args) => editPreview(args, shownPath(touched(name, args, cwd), cwd), cwd),
    }),
    ...(name === "write" && {
      preview: (args) => {
        const names = touched(name, args, cwd);
        return writePreview(names.at(-1)!, textIn(args, "content") ?? "", shownPath(names, cwd));
      },
    }),
    ...(name === "bash" && {
      command: (args) => textIn(args, "command"),
      withCommand: (args, command) => ({ ...(args as object), command }),
    }),
    run: async (args, call) => {
      const { onUpdate, ctx } = asides.get(call.id)!;
      if (access) refuseMoved(touched(name, args, ctx.cwd || cwd), call.judged);
      const update: AgentToolUpdateCallback<unknown> = (partial) => {
        call.print(textOf(partial));
        onUpdate?.(partial);
      };
      const result = await definition.execute(call.id, args as never, call.signal, update, ctx);
      return name === "grep" ? withoutDenied(result, touched(name, args, cwd).at(-1)!, call.mayRead) : result;
    },
  };
}

interface Where {
  readonly cwd: string;
  readonly asides: ReadonlyMap<string, Aside>;
}

/** Every name of what a call would touch. pi's tools that search take no path for the folder they stand in. */
const touched = (name: Name, args: unknown, cwd: string): readonly string[] =>
  namesOf(pathOfTool(textIn(args, "path") || ".", cwd, name === "read" ? "read" : "other"), cwd);

/** What was judged is what is touched: a link that was laid or changed since then is another question. */
function refuseMoved(names: readonly string[], judged: readonly Claim[]): void {
  if (names.length === judged.length && names.every((path, index) => path === judged[index]!.path)) return;
  throw new Error(`The path leads to ${names.at(-1)} now, not to what was approved. Call the tool again.`);
}

function shownPath(names: readonly string[], cwd: string): string {
  const [named, real] = [names[0]!, names.at(-1)!].map((path) => pathWithin(realpathSync(cwd), path) || ".");
  return named === real ? named! : `${named} (a link to ${real})`;
}

/** pi looks at what the model gives; what the user gives or changes it never sees. */
function parsed({ parameters }: ToolDefinition, args: unknown): Parsed<unknown> {
  const [mistake] = Value.Errors(parameters, args);
  if (mistake === undefined) return { ok: true, args };
  return { ok: false, path: mistake.instancePath.slice(1).replaceAll("/", "."), message: mistake.message };
}

/** pi marks a result as an error only when the tool throws. The model should know when it is not its own call that ran. */
function resultOf(asked: unknown, settled: SettledCall): AgentToolResult<unknown> {
  const { tool, args } = settled.request;
  const changed =
    digestOf(tool, asked, "") === digestOf(tool, args, "")
      ? ""
      : `The user changed the arguments of this call before it ran: ${clipLine(JSON.stringify(args), MOST_TOLD)}`;
  if (settled.status !== "success")
    throw new Error(changed === "" ? settled.message : `${changed}\n${settled.message}`);
  const result = settled.value as AgentToolResult<unknown>;
  if (changed === "") return result;
  return {
    ...result,
    content: [{ type: "text", text: changed }, ...result.content],
    details: withRanWith(result.details, args),
  };
}

function textIn(args: unknown, key: string): string | undefined {
  const value = typeof args === "object" && args !== null ? (args as Record<string, unknown>)[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** What a call that succeeded answered, as text. */
export const resultText = (settled: SettledCall & { readonly status: "success" }): string =>
  textOf(settled.value as AgentToolResult<unknown>);

const textOf = ({ content }: AgentToolResult<unknown>): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");
