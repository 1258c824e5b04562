// Reads the doors of package.json: every exported name, its comment, its declaration and the example that uses it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Exported {
  readonly name: string;
  readonly kind: "function" | "const" | "class" | "interface" | "type";
  readonly says: string;
  readonly declaration: string;
}

interface Door {
  /** As it is imported: `tildone/hooks`. */
  readonly name: string;
  readonly names: readonly Exported[];
  /** Pieces of examples/api that use its names: title and code. */
  readonly examples: readonly { readonly title: string; readonly code: string }[];
}

const EXAMPLES = "examples/api";

function readDoors(): readonly Door[] {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly types: string } | string>>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    const source = target.types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts");
    const name = path.replace(/^\./, "tildone");
    return [{ name, names: namesIn(source), examples: examplesOf(name) }];
  });
}

/** The page: each door with its names, their declarations and its examples. A name without a comment or an example is an error. */
export function apiParts(): readonly string[] {
  const doors = readDoors();
  const problems = doors.flatMap((door) => [
    ...door.names.filter(({ says }) => says === "").map(({ name }) => `${door.name}: ${name} has no comment`),
    ...unused(door).map((name) => `${door.name}: no example in ${EXAMPLES} uses ${name}`),
  ]);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return [
    "Everything that can be imported, by door. The examples are compiled and run by the tests. Nothing else in the package is promised to stay.",
    ...doors.flatMap(({ name, names, examples }) => [
      `## ${name}`,
      ...examples.flatMap(({ title, code }) => [`**${title}**`, `\`\`\`ts\n${code}\n\`\`\``]),
      ...names.flatMap((each) => [`### ${each.name}`, each.says, `\`\`\`ts\n${each.declaration}\n\`\`\``]),
    ]),
  ];
}

/** Names that no example of their door uses. */
const unused = ({ names, examples }: Door): readonly string[] =>
  names.flatMap(({ name }) =>
    name === "default" ||
    examples.some(({ code }) => new RegExp(`\\b${name}\\b`).test(code.replace(/^import .*?;$/gms, "")))
      ? []
      : [name],
  );

/** `export { type A, b } from "./c.ts"`, and what is declared in the file itself. */
function namesIn(file: string): readonly Exported[] {
  const source = readFileSync(file, "utf8");
  const again = [...source.matchAll(/^export (type )?\{(.*?)\} from "(.*?)";$/gms)].flatMap(([, , list, from]) =>
    list!
      .split(",")
      .map((each) => each.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name) => declared(name, join(dirname(file), from!))),
  );
  const isPlugin = /^export default /m.test(source);
  return [...again, ...(isPlugin ? [defaultOf(source)] : [])].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Follows re-exports to the file that declares it. */
function declared(name: string, file: string): Exported {
  const source = readFileSync(file, "utf8");
  const found = new RegExp(
    `^(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?export (?:declare )?(?:async )?(function\\*?|const|class|interface|type) ${name}\\b`,
    "m",
  ).exec(source);
  if (found) {
    const kind = found[2]!.replace("*", "") as Exported["kind"];
    const start = found.index + found[0].indexOf("export ");
    return { name, kind, says: sentence(found[1] ?? ""), declaration: declarationAt(source.slice(start), kind) };
  }
  const from = [...source.matchAll(/^export (?:type )?\{(.*?)\} from "(.*?)";$/gms)].find(([, list]) =>
    new RegExp(`(?:^|[\\s,])${name}(?:[\\s,]|$)`).test(list!),
  )?.[2];
  if (from === undefined) throw new Error(`${name} is exported by ${file} and declared nowhere`);
  return declared(name, join(dirname(file), from));
}

const defaultOf = (source: string): Exported => {
  const found = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export default (.*?);$/ms.exec(source)!;
  return { name: "default", kind: "const", says: sentence(found[1] ?? ""), declaration: `export default ${found[2]};` };
};

const sentence = (comment: string): string => comment.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim();

/** Functions without their bodies, values without what they hold, types whole. */
function declarationAt(source: string, kind: Exported["kind"]): string {
  if (kind === "interface" || kind === "type") return typeAt(source);
  const head = kind === "const" ? /^[\s\S]*?(?= =(?:\s|$))/m : /^[\s\S]*? (?=\{$)/m;
  return `${(head.exec(source)?.[0] ?? "").trimEnd()};`.replace(/^export /, "");
}

/** To the first line that ends it at the left edge. */
function typeAt(source: string): string {
  const lines = source.replace(/^export /, "").split("\n");
  const isOneLine = /;$/.test(lines[0]!) || /^interface .*\{\}$/.test(lines[0]!);
  const end = isOneLine
    ? 0
    : lines.findIndex(
        (line, at) => at > 0 && (/^\}/.test(line) || (/^ {2}\S.*;$/.test(line) && !/\{$/.test(lines[0]!))),
      );
  return lines.slice(0, end + 1).join("\n");
}

function examplesOf(door: string): Door["examples"] {
  const prefix = door.replace("/", "-");
  return readdirSync(EXAMPLES)
    .filter((file) => file === `${prefix}.ts` || file.startsWith(`${prefix}.`))
    .sort()
    .map((file) => {
      const source = readFileSync(join(EXAMPLES, file), "utf8");
      const [, title = file] = /^\/\/ (.*)$/m.exec(source) ?? [];
      return { title, code: asReader(source.replace(/^\/\/ .*\n/, "").trim()) };
    });
}

/** As a reader of the package writes it. */
const asReader = (code: string): string =>
  Object.entries(SOURCES).reduce((text, [source, door]) => text.replaceAll(`"../../${source}"`, `"${door}"`), code);

const SOURCES: Readonly<Record<string, string>> = {
  "src/index.ts": "tildone",
  "src/hosts/library/index.ts": "tildone/hooks",
  "src/scheduler/index.ts": "tildone/scheduler",
  "src/hosts/opencode/index.ts": "tildone/server",
  "src/hosts/opencode/tui.ts": "tildone/tui",
  "src/testing/index.ts": "tildone/testing",
};
