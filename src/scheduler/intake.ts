import { absolutePath, type CallRequest, type Claim, type ErrorCode } from "../core/call/index.ts";
import { exactLine, nearest } from "../core/text/index.ts";
import type { Tool, ToolBox } from "./tool.ts";

/** A call that can be done: what exactly would be done, and to what. */
export interface Plan {
  readonly tool: Tool;
  readonly args: unknown;
  /** With absolute paths. */
  readonly claims: readonly Claim[];
  /** As the tool names them; undefined if it names none. */
  readonly named: readonly Claim[] | undefined;
  /** Its intent and outcome go into the log. */
  readonly writes: boolean;
}

export type Examined =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** Looks at a request before anything runs. Whatever a tool's own functions throw is a refusal of this call alone. */
export function examine({ tool: name, args: given }: CallRequest, tools: ToolBox, root: string): Examined {
  const tool = tools.find(name);
  if (tool === undefined) return refused("unknown_tool", unknownTool(name, tools.names()));
  try {
    const parsed = tool.parse?.(given) ?? { ok: true, args: given };
    if (!parsed.ok) return refused("bad_arguments", `${parsed.path || "arguments"}: ${parsed.message}`);
    return { ok: true, plan: planOf(tool, parsed.args, root) };
  } catch (error) {
    return refused("bad_arguments", messageOf(error));
  }
}

function planOf(tool: Tool, args: unknown, root: string): Plan {
  const mayWrite = tool.kind === "edit" || tool.kind === "execute" || tool.kind === "other";
  const named = tool.claims?.(args);
  const claims =
    named === undefined && !mayWrite
      ? NOTHING
      : (named ?? EVERYWHERE).map(({ path, access }) => ({ path: absolutePath(root, path), access }));
  const writes = mayWrite || (named?.some(({ access }) => access === "write") ?? false);
  return { tool, args, claims, named, writes };
}

/** What would be done, in one bounded line. */
export const whatOf = (plan: Plan): string => exactLine(summaryOf(plan), MOST);

export function summaryOf({ tool, args, named = NOTHING }: Plan): string {
  try {
    const said = tool.describe?.(args) ?? tool.command?.(args);
    return said ?? `${tool.name} ${pathsTo(named, "write").join(" ")}`.trimEnd();
  } catch {
    return tool.name; // a tool that cannot describe itself is still asked about
  }
}

const EVERYWHERE: readonly Claim[] = [{ path: "", access: "write" }];
const NOTHING: readonly never[] = [];

export const pathsTo = (claims: readonly Claim[], access: Claim["access"]) =>
  claims.filter((claim) => claim.access === access).map(({ path }) => path);

function unknownTool(name: string, names: readonly string[]): string {
  const near = nearest(name, names).slice(0, 3);
  return `There is no tool "${exactLine(name, MOST)}".${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`;
}

function refused(code: ErrorCode, message: string): Examined {
  return { ok: false, code, message };
}

const MOST = 300;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
