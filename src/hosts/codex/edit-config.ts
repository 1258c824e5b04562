import { realpathSync } from "node:fs";
import {
  type ConfigPlaces,
  type FileEdit,
  hookEntries,
  isOnlyOurs,
  nodeAt,
  type OurTable,
  readJson,
  type Want,
  withEntries,
  withoutTable,
  withTable,
} from "../../hooks/index.ts";
import { type ownServer, REQUIRED } from "./server.ts";

/** Our server in Codex's own file, and what becomes of the reviews of our hooks. */
export function tomlEdits(
  places: ConfigPlaces,
  { command, args }: ReturnType<typeof ownServer>,
  want: Want,
  reviews: () => ReadonlyMap<string, string | undefined>,
): readonly FileEdit[] {
  const table: OurTable = {
    key: TABLE,
    pairs: {
      command: JSON.stringify(command),
      args: JSON.stringify(args),
      ...(REQUIRED && { required: "true" }),
      default_tools_approval_mode: '"approve"', // without it Codex refuses our tools where there is no terminal to ask in
      env_vars: JSON.stringify(INHERITED),
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
export function reviewsAfter(path: string, text: string | undefined): ReadonlyMap<string, string | undefined> {
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
export const INHERITED = [
  ...["TILDONE_HOME", "TILDONE_OFF", "XDG_CONFIG_HOME", "XDG_STATE_HOME"],
  // What a supervisor says of the run.
  ...[
    "TILDONE_GOAL",
    "TILDONE_CHECK",
    "TILDONE_TOUCHES",
    "TILDONE_MAX_CONTINUATIONS",
    "TILDONE_MAX_MINUTES",
    "TILDONE_MAX_TOKENS",
    "TILDONE_CONTEXT",
    "TILDONE_CONTEXT_EVERY",
  ],
  "TILDONE_SUPERVISED",
];
