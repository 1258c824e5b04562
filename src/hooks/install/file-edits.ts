import { getNodeValue } from "jsonc-parser";
import type { EventName } from "../happening.ts";
import type { HostWithHooks } from "../hook-profile.ts";
import { isObject } from "../payload.ts";
import { eolOf, type Path } from "./edit-json.ts";
import { putHooks, takeOutHooks } from "./hook-entries.ts";
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
/** One thing that a file of JSON holds of us. */
export type JsonStep = (editor: JsonEditor) => void;

/** What is to be put in, or taken out, and where. */
export interface Installation {
  readonly places: Places;
  readonly launch: Launch;
  readonly want: Want;
  readonly read: ReadText;
  /** Our hooks, under the host's names. */
  readonly hooks: JsonStep;
  /** Our server, as this host writes one down. */
  readonly serving: (written: (server: OurServer) => Readonly<Record<string, unknown>>) => JsonStep;
}

export interface OurServer {
  readonly command: string;
  readonly args: readonly string[];
}

export function fileEdits(
  host: HostWithHooks,
  places: Places,
  launch: Launch,
  want: Want,
  read: ReadText,
): readonly FileEdit[] {
  const groups = hookGroups(host, (event) => commandLine(launch, host, event));
  const server = { command: launch.node, args: [launch.cliEntry, "mcp", "--host", host.name] };
  return host.hook.fileEdits({
    places,
    launch,
    want,
    read,
    hooks: (editor) => (want === "in" ? putHooks(editor, host.name, groups) : takeOutHooks(editor, host.name)),
    serving: (written) => serving(host.name, written(server), want),
  });
}

const commandLine = ({ node, hookEntry }: Launch, { name, hook }: HostWithHooks, event: EventName): string =>
  `"${node}" "${hookEntry}" ${name} ${event}${hook.handlers.ifBroken?.(event) ?? ""}`;

/** Taken out in the opposite order, so that each finds the file as it left it. */
export const jsonFile = (path: string, want: Want, steps: readonly JsonStep[]): FileEdit => ({
  path,
  edit: (text, memory) =>
    editJsonFile(text, memory, (editor) => {
      for (const step of want === "in" ? steps : steps.toReversed()) step(editor);
    }),
});

const SERVER: Path = ["mcpServers", "tildone"];

const serving =
  (host: string, server: Readonly<Record<string, unknown>>, want: Want): JsonStep =>
  (editor) => {
    const node = editor.at(SERVER);
    const there: unknown = node && getNodeValue(node);
    const isOurs = isObject(there) && isOurServer(there.args, host);
    if (want === "out") {
      if (isOurs) editor.remove(SERVER, node!);
      return;
    }
    if (node && !isOurs) throw new Misfit('it has a server "tildone" that tildone did not write; remove that first');
    // What you added to it stays.
    const next = { ...(isOurs && there), ...server };
    if (JSON.stringify(next) !== JSON.stringify(there)) editor.put(SERVER, next);
  };

const isOurServer = (args: unknown, host: string): boolean =>
  Array.isArray(args) && /(?:^|[/\\])tildone\.js mcp --host [a-z-]+$/.test(args.join(" ")) && args.at(-1) === host;

/** A setting that was not made before us; one that was made already stays. */
export const setting =
  (path: Path, value: string | number | boolean, want: Want): JsonStep =>
  (editor) => {
    const node = editor.at(path);
    if (want === "in" && !node) editor.put(path, value);
    if (want === "out" && node?.value === value && editor.wasPut(path)) editor.remove(path, node);
  };

/** A rule of your own stays yours. */
export const allowing =
  (path: Path, rule: string, want: Want): JsonStep =>
  (editor) => {
    const node = editor.at(path)?.children?.findLast(({ value }) => value === rule);
    if (want === "in" && !node) editor.append(path, rule);
    if (want === "out" && node && editor.appendedTo(path)) editor.remove(path, node);
  };

/** A file that holds nothing but what we wrote, unless you added to it. */
export function ownFile(text: string | undefined, memory: FileMemory | undefined, lines: string, want: Want): Edited {
  const content = lines.replaceAll("\n", eolOf(text ?? ""));
  const kept: FileMemory = memory ?? { spots: {} };
  if (text?.includes(content) === (want === "in")) return { ok: true, text, memory: kept };
  if (want === "in") return { ok: true, text: (text ?? "") + content, memory: { spots: {}, root: text ?? null } };
  const rest = text?.replace(content, "");
  return { ok: true, text: rest === "" ? undefined : rest, memory: kept };
}
