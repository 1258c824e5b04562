import type { HostName } from "../dialect.ts";
import type { EventName } from "../happening.ts";
import { isObject } from "../payload.ts";
import { editJson, type JsonEdit, valueAt, withValue } from "./edit-json.ts";
import { isNamed, withoutTable, withTable } from "./edit-toml.ts";
import type { Places } from "./places.ts";
import { hookGroups } from "./registration.ts";

/** How the host starts us: the node that runs now, and the two entries of this package. */
export interface Launch {
  readonly node: string;
  readonly hookEntry: string;
  readonly cliEntry: string;
}

/** One file of a host, and what it should hold. */
export interface FileEdit {
  readonly path: string;
  readonly edit: (text: string | undefined) => JsonEdit;
}

type Tree = Readonly<Record<string, unknown>>;
type Want = "in" | "out";

/** The edits that put tildone in, or take it out. Applied twice they change nothing more. */
export function fileEdits(host: HostName, places: Places, launch: Launch, want: Want): readonly FileEdit[] {
  const hooks = withHooks(host, launch, want);
  const moments = Object.keys(hookGroups(host, () => "")).map((name) => ["hooks", name]);
  const server = { command: launch.node, args: [launch.cliEntry, "mcp", "--host", host] };
  const put = <T>(value: T): T | undefined => (want === "in" ? value : undefined);
  switch (host) {
    case "claude-code":
      return [
        json(places.hooks, [...moments, CLAUDE_RULE.path], (tree) => withAllowed(hooks(tree), CLAUDE_RULE, want)),
        json(places.servers, [SERVER_ARGS], (tree) =>
          withValue(tree, SERVER, put({ type: "stdio", ...server, alwaysLoad: true })),
        ),
      ];
    case "gemini":
      return [
        json(places.hooks, [...moments, GEMINI_RULE.path, SERVER_ARGS], (tree) =>
          withAllowed(withValue(hooks(tree), SERVER, put({ ...server, trust: true })), GEMINI_RULE, want),
        ),
      ];
    case "codex":
      return [json(places.hooks, moments, hooks), { path: places.servers, edit: (text) => toml(text, server, want) }];
  }
}

const SERVER = ["mcpServers", "tildone"];
const SERVER_ARGS = [...SERVER, "args"];
const TABLE = "mcp_servers.tildone";

/** `lists`: where lists are, if there is anything. */
const json = (path: string, lists: readonly (readonly string[])[], edit: (tree: Tree) => Tree): FileEdit => ({
  path,
  edit: (text) => editJson(text, edit, lists),
});

/** Ours are known by the entry they start; whatever else hangs on a moment stays as it is. */
const withHooks =
  (host: HostName, launch: Launch, want: Want) =>
  (tree: Tree): Tree => {
    const groups = hookGroups(host, (event) => commandLine(launch, host, event));
    const present = isObject(tree.hooks) ? Object.keys(tree.hooks) : [];
    return [...new Set([...present, ...Object.keys(groups)])].reduce((whole, name) => {
      const path = ["hooks", name];
      const there = listAt(whole, path);
      const ours: readonly unknown[] = want === "in" ? (groups[name] ?? []) : [];
      const first = there.findIndex(isOurs);
      if (first < 0 && ours.length === 0) return whole;
      // In their place if they are there: Codex knows a hook by its position too.
      const after = there.flatMap((group, at) => (at === first ? ours : isOurs(group) ? [] : [group]));
      return withValue(whole, path, first < 0 ? [...there, ...ours] : after);
    }, tree);
  };

const listAt = (tree: Tree, path: readonly string[]): readonly unknown[] => {
  const value = valueAt(tree, path);
  return Array.isArray(value) ? value : [];
};

const isOurs = (group: unknown): boolean => JSON.stringify(group).includes("tildone-hook.js");

export const commandLine = ({ node, hookEntry }: Launch, host: HostName, event: EventName): string =>
  `"${node}" "${hookEntry}" ${host} ${event}`;

interface Rule {
  readonly path: readonly string[];
  readonly rule: string;
}

/** Claude Code refuses every call of a tool without permission where nobody can be asked. */
const CLAUDE_RULE: Rule = { path: ["permissions", "allow"], rule: "mcp__tildone" };
/** Where nobody can be asked, Gemini hides its own write_todos, and with it every tool of that name, ours too. */
const GEMINI_RULE: Rule = { path: ["tools", "allowed"], rule: "write_todos" };

function withAllowed(tree: Tree, { path, rule }: Rule, want: Want): Tree {
  const others = listAt(tree, path).filter((one) => one !== rule);
  const isThere = listAt(tree, path).includes(rule);
  if (want === "in") return isThere ? tree : withValue(tree, path, [...others, rule]);
  return isThere ? withValue(tree, path, others) : tree;
}

function toml(text: string | undefined, { command, args }: { command: string; args: string[] }, want: Want): JsonEdit {
  const clean = withoutTable(text ?? "", TABLE);
  if (isNamed(clean))
    return {
      ok: false,
      problem: `it names a server "tildone" that tildone did not write, or holds its servers in one line; take that out first`,
    };
  if (want === "out") return { ok: true, text: clean === "" ? undefined : clean };
  return {
    ok: true,
    text: withTable(text ?? "", TABLE, [
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      'default_tools_approval_mode = "approve"', // without it Codex refuses our tools where nobody can be asked
      "required = true", // without it Codex may ask the model before our tools are there
      // Codex gives its servers an almost empty environment; the hooks have all of it, and both must find the same log.
      `env_vars = ${JSON.stringify(INHERITED)}`,
    ]),
  };
}

const INHERITED = [
  ...["TILDONE_HOME", "TILDONE_OFF", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
  // What a supervisor says of the run.
  ...["TILDONE_GOAL", "TILDONE_CHECK", "TILDONE_MAX_CONTINUATIONS", "TILDONE_MAX_MINUTES"],
];
