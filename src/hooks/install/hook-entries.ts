import { getNodeValue, type Node } from "jsonc-parser";
import type { JsonEditor } from "./json-editor.ts";
import type { Handler, HookGroups } from "./registration.ts";

/** A hook in a file of a host, ours or not. */
export interface HookEntry {
  /** The host's name of the moment. */
  readonly name: string;
  readonly group: Node;
  readonly handler: Node;
  /** Where it stands: Codex knows a hook by that. */
  readonly position: readonly [group: number, handler: number];
  readonly isOurs: boolean;
}

export function hookEntries(hooks: Node | undefined, host: string): readonly HookEntry[] {
  return (hooks?.type === "object" ? (hooks.children ?? []) : []).flatMap(({ children: [key, groups] = [] }) =>
    listOf(groups).flatMap((group, at) =>
      listOf(propertyOf(group, "hooks")).map((handler, index): HookEntry => {
        const isOurs = isOurCommand(propertyOf(handler, "command")?.value, host);
        return { name: key!.value as string, group, handler, position: [at, index], isOurs };
      }),
    ),
  );
}

/** The command we write, wherever its programs lie: another hook that calls ours in a script of its own is not ours. */
export const isOurCommand = (command: unknown, host: string): boolean =>
  typeof command === "string" &&
  new RegExp(
    `(?:^|[\\s"'/\\\\])tildone-hook\\.js["']? ${host} [a-z-]+(?: 2>/dev/null \\|\\| (?:true|echo '[^']*'))?$`,
  ).test(command);

/** A group that holds our hook and nothing else is ours as a whole. */
export const isOnlyOurs = ({ group, isOurs }: HookEntry): boolean =>
  isOurs && group.children?.length === 1 && listOf(propertyOf(group, "hooks")).length === 1;

const HOOKS = ["hooks"];

export function putHooks(editor: JsonEditor, host: string, groups: HookGroups): void {
  const ours = () => hookEntries(editor.at(HOOKS), host).filter(({ isOurs }) => isOurs);
  for (const [name, [group]] of Object.entries(groups)) {
    const [first, ...more] = ours().filter((entry) => entry.name === name);
    if (!first) editor.append([...HOOKS, name], group);
    else if (!isUpToDate(first.handler, group!.hooks[0]!)) update(editor, first.handler, group!.hooks[0]!);
    for (let at = more.length; at > 0; at--) takeOut(editor, ours().filter((entry) => entry.name === name)[at]!);
  }
  const isLeft = (): HookEntry | undefined => ours().findLast(({ name }) => groups[name] === undefined);
  for (let entry = isLeft(); entry; entry = isLeft()) takeOut(editor, entry);
}

/** From the end: what was put in last goes first, and white space with it. */
export function takeOutHooks(editor: JsonEditor, host: string): void {
  const last = () => hookEntries(editor.at(HOOKS), host).findLast(({ isOurs }) => isOurs);
  for (let entry = last(); entry; entry = last()) takeOut(editor, entry);
}

function takeOut(editor: JsonEditor, entry: HookEntry): void {
  const path = [...HOOKS, entry.name];
  if (isOnlyOurs(entry)) editor.remove(path, entry.group);
  else editor.remove([...path, "hooks of a group"], entry.handler);
}

function isUpToDate(node: Node, handler: Handler): boolean {
  const there = getNodeValue(node) as Readonly<Record<string, unknown>>;
  return Object.entries(handler).every(([key, value]) => there[key] === value);
}

/** What you added to our hook stays. */
const update = (editor: JsonEditor, node: Node, handler: Handler): void =>
  editor.replace(node, { ...(getNodeValue(node) as object), ...handler });

const listOf = (node: Node | undefined): readonly Node[] => (node?.type === "array" ? (node.children ?? []) : []);

function propertyOf(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== "object") return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
}
