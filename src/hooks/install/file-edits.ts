import { realpathSync } from "node:fs";
import { getNodeValue } from "jsonc-parser";
import type { HostName } from "../dialect.ts";
import type { EventName } from "../happening.ts";
import { isObject } from "../payload.ts";
import { CODEX_REQUIRED, codexServer } from "./codex-server.ts";
import { eolOf, nodeAt, type Path, readJson } from "./edit-json.ts";
import { type OurTable, withEntries, withoutTable, withTable } from "./edit-toml.ts";
import { hookEntries, isOnlyOurs, putHooks, takeOutHooks } from "./hook-entries.ts";
import { type Edited, editJsonFile, type FileMemory, type JsonEditor, Misfit } from "./json-editor.ts";
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
  readonly edit: (text: string | undefined, memory: FileMemory | undefined) => Edited;
}

export type Want = "in" | "out";
type ReadText = (path: string) => string | undefined;

/** The edits that put tildone in, or take it out. Applied twice they change nothing more. */
export function fileEdits(
  host: HostName,
  places: Places,
  launch: Launch,
  want: Want,
  read: ReadText,
): readonly FileEdit[] {
  const groups = hookGroups(host, (event) => commandLine(launch, host, event));
  const server = { command: launch.node, args: [launch.cliEntry, "mcp", "--host", host] };
  const hooks = (editor: JsonEditor): void =>
    want === "in" ? putHooks(editor, host, groups) : takeOutHooks(editor, host);
  switch (host) {
    case "claude-code":
      return [
        json(places.hooks, want, [hooks, allowing(CLAUDE_RULE, want)]),
        json(places.servers, want, [serving(host, { type: "stdio", ...server, alwaysLoad: true }, want)]),
      ];
    case "gemini":
      return [
        json(places.hooks, want, [hooks, serving(host, { ...server, trust: true }, want)]),
        { path: places.policy!, edit: (text, memory) => ownFile(text, memory, GEMINI_POLICY, want) },
      ];
    case "codex":
      return [
        json(places.hooks, want, [hooks]),
        ...tomlEdits(places, codexServer(launch.node, launch.cliEntry), want, () =>
          reviewsAfter(places.hooks, read(places.hooks)),
        ),
      ];
  }
}

export const commandLine = ({ node, hookEntry }: Launch, host: HostName, event: EventName): string =>
  `"${node}" "${hookEntry}" ${host} ${event}${host === "gemini" ? ifBroken(event) : ""}`;

/**
 * Gemini refuses every prompt when a hook cannot be started: the shell says so with 127, and that means "no" to it. So the shell
 * answers in our place, and tells the person at the prompt. PowerShell has no such thing; there it would be no command at all.
 */
const ifBroken = (event: EventName): string =>
  process.platform === "win32" ? "" : ` 2>/dev/null || ${event === "prompt" ? `echo '${BROKEN}'` : "true"}`;
const BROKEN = JSON.stringify({
  systemMessage: "tildone is off here: its program or its Node is gone. Run: tildone install gemini",
});

/** Taken out in the opposite order, so that each finds the file as it left it. */
const json = (path: string, want: Want, steps: readonly ((editor: JsonEditor) => void)[]): FileEdit => ({
  path,
  edit: (text, memory) =>
    editJsonFile(text, memory, (editor) => {
      for (const step of want === "in" ? steps : steps.toReversed()) step(editor);
    }),
});

const SERVER: Path = ["mcpServers", "tildone"];

const serving =
  (host: HostName, server: Readonly<Record<string, unknown>>, want: Want) =>
  (editor: JsonEditor): void => {
    const node = editor.at(SERVER);
    const there: unknown = node && getNodeValue(node);
    const isOurs = isObject(there) && isOurServer(there.args, host);
    if (want === "out") {
      if (isOurs) editor.remove(SERVER, node!);
      return;
    }
    if (node && !isOurs) throw new Misfit('it has a server "tildone" that tildone did not write; remove that first');
    // What somebody added to it stays.
    const next = { ...(isOurs && there), ...server };
    if (JSON.stringify(next) !== JSON.stringify(there)) editor.put(SERVER, next);
  };

const isOurServer = (args: unknown, host: HostName): boolean =>
  Array.isArray(args) && /(?:^|[/\\])tildone\.js mcp --host [a-z-]+$/.test(args.join(" ")) && args.at(-1) === host;

/** Claude Code refuses every call of a tool without permission where nobody can be asked. */
const CLAUDE_RULE = { path: ["permissions", "allow"], rule: "mcp__tildone" };

/** Somebody's own rule stays theirs. */
const allowing =
  ({ path, rule }: typeof CLAUDE_RULE, want: Want) =>
  (editor: JsonEditor): void => {
    const node = editor.at(path)?.children?.findLast(({ value }) => value === rule);
    if (want === "in" && !node) editor.append(path, rule);
    if (want === "out" && node && editor.appendedTo(path)) editor.remove(path, node);
  };

/** Where nobody can be asked, Gemini hides its own write_todos, and with it every tool of that name, ours too. */
const GEMINI_POLICY = `# Written by \`tildone install\`; \`tildone uninstall\` takes it out again.
[[rule]]
toolName = "write_todos"
decision = "allow"
priority = 500
`;

/** A file that holds nothing but what we wrote, unless somebody added to it. */
function ownFile(text: string | undefined, memory: FileMemory | undefined, lines: string, want: Want): Edited {
  const content = lines.replaceAll("\n", eolOf(text ?? ""));
  const kept: FileMemory = memory ?? { spots: {} };
  if (text?.includes(content) === (want === "in")) return { ok: true, text, memory: kept };
  if (want === "in") return { ok: true, text: (text ?? "") + content, memory: { spots: {}, root: text ?? null } };
  const rest = text?.replace(content, "");
  return { ok: true, text: rest === "" ? undefined : rest, memory: kept };
}

function tomlEdits(
  places: Places,
  { command, args }: ReturnType<typeof codexServer>,
  want: Want,
  reviews: () => ReadonlyMap<string, string | undefined>,
): readonly FileEdit[] {
  const table: OurTable = {
    key: TABLE,
    pairs: {
      command: JSON.stringify(command),
      args: JSON.stringify(args),
      ...(CODEX_REQUIRED && { required: "true" }),
      default_tools_approval_mode: '"approve"', // without it Codex refuses our tools where nobody can be asked
      env_vars: JSON.stringify(CODEX_INHERITED),
    },
    isOurs: (text) => /tildone\.js",\s*"mcp",\s*"--host",\s*"codex"/.test(text),
  };
  const name = TABLE.join(".");
  const server: FileEdit = {
    path: places.servers,
    edit: (text, memory) => {
      const before = text ?? "";
      const known = memory?.spots[name];
      const edited = want === "in" ? withTable(before, table) : withoutTable(before, table, known?.lead);
      if (!edited.ok) return edited;
      const root = text === undefined ? null : memory?.root;
      const spots = edited.lead === undefined ? (memory?.spots ?? {}) : { [name]: { lead: edited.lead, trail: "" } };
      const after = want === "out" && places.reviews === places.servers ? withoutReviews(edited.text) : edited.text;
      const isGone = after === "" && (text === undefined || memory?.root === null);
      return { ok: true, text: isGone ? undefined : after, memory: { ...(root !== undefined && { root }), spots } };
    },
  };
  if (want === "in" || places.reviews === undefined || places.reviews === places.servers) return [server];
  return [
    server,
    {
      path: places.reviews,
      edit: (text) => ({ ok: true, text: text && withoutReviews(text), memory: { spots: {} } }),
    },
  ];

  function withoutReviews(text: string): string {
    return withEntries(text, ["hooks", "state"], reviews());
  }
}

/**
 * What becomes of the reviews in Codex when our hooks go: ours go, too, and those of hooks behind ours follow them to their new
 * places. Codex knows a hook by file, moment and position.
 */
function reviewsAfter(path: string, text: string | undefined): ReadonlyMap<string, string | undefined> {
  const read = readJson(text ?? "{}");
  const entries = read.ok ? hookEntries(nodeAt(read.root, ["hooks"]), "codex") : [];
  const files = [...new Set([path, realPath(path)])];
  return new Map(
    entries.flatMap((entry) => {
      const { name, group, position, isOurs } = entry;
      const before = entries.filter((one) => one.name === name && one.isOurs);
      const groupsGone = before.filter((one) => isOnlyOurs(one) && one.position[0] < position[0]).length;
      const handlersGone = before.filter((one) => one.group === group && one.position[1] < position[1]).length;
      const moved = [position[0] - groupsGone, position[1] - handlersGone];
      if (!isOurs && groupsGone + handlersGone === 0) return [];
      const key = (file: string, [at, index]: readonly number[]): string => `${file}:${snake(name)}:${at}:${index}`;
      return files.map((file): [string, string | undefined] => [
        key(file, position),
        isOurs ? undefined : key(file, moved),
      ]);
    }),
  );
}

const snake = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const TABLE = ["mcp_servers", "tildone"];
/** Codex gives its servers an almost empty environment; the hooks have all of it, and both must find the same log. */
export const CODEX_INHERITED = [
  ...["TILDONE_HOME", "TILDONE_OFF", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
  // What a supervisor says of the run.
  ...["TILDONE_GOAL", "TILDONE_CHECK", "TILDONE_MAX_CONTINUATIONS", "TILDONE_MAX_MINUTES", "TILDONE_MAX_TOKENS"],
  "TILDONE_SUPERVISED",
];
