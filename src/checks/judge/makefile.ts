/** A Makefile as far as it decides what a check does: rules, variables, includes, and the rest as it stands. */
export interface Block {
  readonly type: "target" | "variable" | "include" | "other";
  /** The targets of a rule, the variable, or the included files. */
  readonly names: readonly string[];
  readonly text: string;
}

const VARIABLE = /^(?:(?:export|override|private)\s+)*([A-Za-z_.][\w.-]*)\s*(?:::?:?|\?|\+|!)?=/;
const INCLUDE = /^[-s]?include\s+(.+)$/;
const RULE = /^([^\s#=:][^=:#]*?)\s*::?(?![=:])/;
const OPENS = /^(?:ifeq|ifneq|ifdef|ifndef|define)\b/;
const CLOSES = /^(?:endif|endef)\b/;

export function blocksOf(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const variable = VARIABLE.exec(line)?.[1];
    const include = INCLUDE.exec(line)?.[1];
    const targets = RULE.exec(line)?.[1];
    const end = endOf(lines, at, variable === undefined && include === undefined && targets !== undefined);
    const block = lines.slice(at, end).join("\n");
    if (OPENS.test(line.trim())) blocks.push({ type: "other", names: [], text: block });
    else if (variable !== undefined) blocks.push({ type: "variable", names: [variable], text: block });
    else if (include !== undefined) blocks.push({ type: "include", names: words(include), text: block });
    else if (targets !== undefined) blocks.push({ type: "target", names: words(targets), text: block });
    else blocks.push({ type: "other", names: [], text: block });
    at = end;
  }
  return blocks;
}

function endOf(lines: readonly string[], at: number, isRule: boolean): number {
  let end = at + 1;
  if (OPENS.test(lines[at]!.trim())) {
    for (let depth = 1; end < lines.length && depth > 0; end++) {
      if (OPENS.test(lines[end]!.trim())) depth++;
      if (CLOSES.test(lines[end]!.trim())) depth--;
    }
    return end;
  }
  while (end < lines.length && (lines[end - 1]!.endsWith("\\") || (isRule && lines[end]!.startsWith("\t")))) end++;
  return end;
}

/** The commands of a rule, with the variables of the file put in. */
export function recipeOf(block: Block, variables: ReadonlyMap<string, string>): string {
  const [head = "", ...rest] = block.text.split("\n");
  const inline = head.includes(";") ? [head.slice(head.indexOf(";") + 1)] : [];
  const commands = [...inline, ...rest.filter((line) => line.startsWith("\t"))].map((line) =>
    line.trim().replace(/^[@+-]+/, ""),
  );
  return expand(commands.join("\n"), variables);
}

export const needsOf = (block: Block, variables: ReadonlyMap<string, string>): readonly string[] => {
  const head = block.text.split("\n")[0]!.split(";")[0]!;
  return words(expand(head.slice(head.indexOf(":") + 1), variables));
};

export function variablesOf(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>([["MAKE", "make"]]);
  for (const { type, names, text } of blocks) if (type === "variable") found.set(names[0]!, valueIn(text));
  return found;
}

const valueIn = (text: string): string =>
  text
    .replace(/\\\n/g, " ")
    .replace(/^[^=]*=/, "")
    .replace(/#.*$/s, "")
    .trim();

export function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > 5) return text;
  return text
    .replace(/\$[({]([\w.-]+)[)}]/g, (_, name: string) => expand(variables.get(name) ?? "", variables, depth + 1))
    .replaceAll("$$", "$");
}

/**
 * The old file with what is new in the new one: a rule or variable of its own name is work, one that was there before is what it
 * was. Lists of files may grow. `changed` names what was put back or left out.
 */
export function mergeMakefile(
  before: string,
  after: string,
): { readonly text: string; readonly changed: readonly string[] } {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  const changed = new Set<string>();
  const same = new Set(now.map(({ text }) => text.trimEnd()));
  const kept = old.map((block) => {
    if (same.has(block.text.trimEnd()) || block.text.trim() === "" || block.text.trimStart().startsWith("#"))
      return block.text;
    const grown = now.find((candidate) => isGrown(block, candidate));
    if (grown) return grown.text;
    changed.add(block.names.join(" ") || "its conditions");
    return block.text;
  });
  const known = new Set(old.flatMap(({ names }) => names));
  const oldText = new Set(old.map(({ text }) => text.trimEnd()));
  const [variables, rules]: [string[], string[]] = [[], []];
  for (const block of now) {
    if (oldText.has(block.text.trimEnd()) || block.text.trim() === "" || block.text.trimStart().startsWith("#"))
      continue;
    if (block.names.some((name) => known.has(name))) {
      if (!old.some((each) => isGrown(each, block))) for (const name of block.names) changed.add(name);
    } else if (block.type === "target" && block.names.every(isPlainTarget)) rules.push(block.text);
    else if (block.type === "target" && block.names.every((name) => name === ".PHONY")) rules.push(block.text);
    else if (block.type === "variable" && isPlainVariable(block.names[0]!, before)) variables.push(block.text);
    else changed.add(block.names.join(" ") || "its conditions");
  }
  return { text: [...variables, kept.join("\n"), ...rules].join("\n"), changed: [...changed] };
}

const isPlainTarget = (name: string): boolean => /^[A-Za-z0-9_][\w./-]*$/.test(name);

/** One that the old rules read, or that make reads itself, changes what they do. */
function isPlainVariable(name: string, before: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name) || /^(?:SHELL|PATH|VPATH|CC|CXX|LD|MAKE\w*|GNUMAKEFLAGS|MFLAGS)$/.test(name))
    return false;
  return !before.includes(`$(${name})`) && !before.includes(`\${${name}}`);
}

/** The same rule or list with more files in it. */
function isGrown(old: Block, now: Block): boolean {
  if (old.type !== now.type || old.names.join(" ") !== now.names.join(" ") || old.type === "other") return false;
  if (old.type === "target" && tailOf(old.text) !== tailOf(now.text)) return false;
  const [headOf, then] = [
    (text: string) => (old.type === "target" ? text.split("\n")[0]! : text.replace(/\\\n/g, " ")),
    words,
  ];
  const [before, after] = [then(headOf(old.text)), then(headOf(now.text))];
  const added = after.filter((word) => !before.includes(word));
  return (
    before.every((word) => after.includes(word)) && added.every((word) => /^[\w./%-]+\.[A-Za-z]\w{0,3}$/.test(word))
  );
}

const tailOf = (text: string): string => text.split("\n").slice(1).join("\n").trimEnd();
const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "" && word !== "\\");
