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
  type ToolDefinition,
} from "@earendil-works/pi-coding-agent";
import type { Claim, SettledCall, ToolKind } from "../core/call/index.ts";
import { type Scheduler, type Tool, type ToolBox, toolBox } from "../scheduler/index.ts";

/** pi's own coding tools, every call of which goes through our scheduler. */
export interface ScheduledTools {
  /** Registers the tools under pi's own names, over pi's own definitions. */
  readonly extension: ExtensionFactory;
  readonly box: ToolBox;
  /** Who runs the calls; known only once the session is open. */
  readonly attach: (scheduler: Scheduler) => void;
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

/** What pi hands to a tool besides its arguments: it goes around the scheduler, by the id of the call. */
interface Aside {
  readonly onUpdate: AgentToolUpdateCallback<unknown> | undefined;
  readonly ctx: ExtensionContext;
}

export function scheduledTools(cwd: string, path: string | undefined): ScheduledTools {
  const definitions: Readonly<Record<Name, ToolDefinition>> = {
    read: createReadToolDefinition(cwd) as never,
    grep: createGrepToolDefinition(cwd) as never,
    find: createFindToolDefinition(cwd) as never,
    ls: createLsToolDefinition(cwd) as never,
    edit: createEditToolDefinition(cwd) as never,
    write: createWriteToolDefinition(cwd) as never,
    bash: createBashToolDefinition(cwd, {
      spawnHook: (context) => ({ ...context, env: { ...context.env, ...(path !== undefined && { PATH: path }) } }),
    }) as never,
  };
  const asides = new Map<string, Aside>();
  let scheduler: Scheduler | undefined;
  const names = Object.keys(KINDS) as Name[];

  return {
    box: toolBox(names.map((name) => toolOf(name, definitions[name], asides))),
    attach: (given) => {
      scheduler = given;
    },
    extension: (pi) => {
      for (const name of names) pi.registerTool({ ...definitions[name], execute: execute(name) });
    },
  };

  function execute(name: Name): ToolDefinition["execute"] {
    return async (id, args, signal, onUpdate, ctx) => {
      if (!scheduler) throw new Error("tildone is not open in this session, so no tool runs. See the notice above.");
      asides.set(id, { onUpdate, ctx });
      try {
        const [settled] = await scheduler.schedule([{ id, tool: name, args }], signal);
        return resultOf(settled!);
      } finally {
        asides.delete(id);
      }
    };
  }
}

function toolOf(name: Name, definition: ToolDefinition, asides: ReadonlyMap<string, Aside>): Tool {
  const { kind, ...rest } = KINDS[name] as { kind: ToolKind; access?: Claim["access"] };
  const { access } = rest;
  return {
    name,
    kind,
    ...(access && { claims: (args) => [{ path: textIn(args, "path") ?? "", access }] }),
    ...(name === "bash" && { command: (args) => textIn(args, "command") }),
    run: (args, call) => {
      const { onUpdate, ctx } = asides.get(call.id)!;
      const update: AgentToolUpdateCallback<unknown> = (partial) => {
        call.print(textOf(partial));
        onUpdate?.(partial);
      };
      return definition.execute(call.id, args as never, call.signal, update, ctx);
    },
  };
}

/** pi marks a result as an error only when the tool throws. */
function resultOf(settled: SettledCall): AgentToolResult<unknown> {
  if (settled.status === "success") return settled.value as AgentToolResult<unknown>;
  throw new Error(settled.message);
}

function textIn(args: unknown, key: string): string | undefined {
  const value = typeof args === "object" && args !== null ? (args as Record<string, unknown>)[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

const textOf = ({ content }: AgentToolResult<unknown>): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");
