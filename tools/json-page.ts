// Prints docs/reference/json.md and schema/output.json from json-shapes.ts.
import { COMMANDS } from "../src/cli/commands.ts";
import { OUTPUTS, type Output, type Shape } from "./json-shapes.ts";

/** Title and tables of each answer. A command that takes --json and is not described is an error. */
export async function jsonParts(table: (head: readonly string[], rows: readonly string[][]) => string) {
  await refuseMissing();
  const shown = new Set<Shape>();
  const isNew = (shape: Shape) => !shown.has(shape) && Boolean(shown.add(shape));
  return [
    "Every command that prints facts takes `--json`. The answer is one JSON value: an object, or a list of objects where the command lists. What keeps printing (`run`, `log`) prints one object a line. The same thing has the same name and shape everywhere: `run` is the id of a run, `todos` a list of todos, `says` a sentence for people.",
    "Times are UTC ISO strings (`2026-01-02T03:04:05.000Z`); screens show local time. Durations are numbers that end in `Ms` or say `minutes`. A field marked *maybe* is absent where there is nothing to say. Fields may be added, and are not renamed. The [JSON Schema](../../schema/output.json) is part of the package.",
    "Exit codes are the same as without `--json`. Errors and warnings go to standard error as text. `tildone report --format json` and `tildone runs export` print files of their own: the report, and the log as it stands.",
    ...OUTPUTS.flatMap(({ typed, says, shape }) => [
      `## ${typed}`,
      "lines" in shape ? says : `${says} ${outline(shape)}`.trim(),
      ...("lines" in shape
        ? Object.entries(shape.lines).flatMap(([type, line]) => [
            `**\`${type}\`**: ${line.description}`,
            fieldTable(line, table),
          ])
        : isNew(shape.items ?? shape)
          ? [fieldTable(shape, table)]
          : ["The fields are those above."]),
    ]),
  ];
}

async function refuseMissing(): Promise<void> {
  for (const [name, load] of Object.entries(COMMANDS)) {
    if (!("json" in (await load()).options) || SAME.has(name)) continue;
    if (!OUTPUTS.some(({ typed }) => typed.startsWith(`tildone ${name} `)))
      throw new Error(`tildone ${name} takes --json and tools/json-shapes.ts does not describe what it prints`);
  }
}

/** Prints what another command prints. */
const SAME: ReadonlySet<string> = new Set(["resume"]);

const outline = (shape: Shape): string => (shape.type === "array" ? "A list; each entry:" : "");

function fieldTable(shape: Shape, table: (head: readonly string[], rows: readonly string[][]) => string): string {
  return table(["field", "is", "meaning"], fieldRows(shape.type === "array" ? shape.items! : shape, ""));
}

function fieldRows({ properties = {}, required = [] }: Shape, above: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = field.type === "array" ? field.items! : field;
    const path = `${above}${name}${field.type === "array" ? "[]" : ""}`;
    return [
      [`\`${path}\``, `${kindOf(field)}${required.includes(name) ? "" : ", maybe"}`, field.description],
      ...(inner.properties ? fieldRows(inner, `${path}.`) : []),
    ];
  });
}

function kindOf({ type, enum: values, pattern, items }: Shape): string {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (pattern) return "UTC time";
  if (type === "array") return `list of ${PLURALS[items?.type ?? "object"] ?? "values"}`;
  return type ?? "any";
}
const PLURALS: Readonly<Record<string, string>> = {
  string: "strings",
  integer: "numbers",
  number: "numbers",
  object: "objects",
};

/** One schema for each answer, by what is typed. */
export const outputSchema = () => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "What tildone prints with --json",
  $defs: Object.fromEntries(OUTPUTS.map((output) => [output.typed, schemaOf(output)])),
});

const schemaOf = ({ says, shape }: Output) =>
  "lines" in shape ? { description: says, anyOf: Object.values(shape.lines) } : { ...shape, description: says };
