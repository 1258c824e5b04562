import { KEY_ALIASES } from "./aliases.ts";
import type { JsonSchema } from "./kind.ts";
import type { Setting } from "./setting.ts";
import { ROWS, SETTING_HOSTS } from "./settings.ts";

/** The JSON Schema of a config file, for editors. It says what the reader accepts, from the same table. */
export function configSchema(): JsonSchema {
  const root: Section = new Map();
  const scoped = [...ROWS].filter(([, row]) => row.scoped);
  for (const [key, row] of ROWS) {
    if (!key.includes("*")) place(root, key.split("."), describe(row));
  }
  const perHost = object(scope("hosts"));
  const perAgent = object(scope("agents"));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "tildone config",
    ...object(
      new Map<string, JsonSchema | Section>([
        ["$schema", { type: "string" }],
        ...[...root].map(
          ([name, node]) => [name, name === "continuation" ? withAliases(node as Section) : node] as const,
        ),
        ["hosts", object(new Map(SETTING_HOSTS.map((host) => [host, perHost])))],
        ["agents", { type: ["object", "null"], additionalProperties: perAgent }],
      ]),
    ),
  };

  /** What may stand under one host or agent: its own settings, and those of the continuation. */
  function scope(section: string): Section {
    const own = [...ROWS].filter(([key]) => key.startsWith(`${section}.*.`));
    return withAliases(new Map([...own, ...scoped].map(([key, row]) => [key.split(".").at(-1)!, describe(row)])));
  }
}

/** A leaf is a schema, a section a map of them. */
type Section = Map<string, JsonSchema | Section>;

const describe = ({ kind, says, default: value }: Setting<unknown>): JsonSchema => ({
  ...kind.schema,
  description: says,
  ...(isPlain(value) && { default: value }),
});

/** Times are shown with their unit in the description of the reference; a schema's default must be valid as it stands. */
const isPlain = (value: unknown): boolean => typeof value === "boolean" || typeof value === "string";

function withAliases(section: Section): Section {
  const known = [...KEY_ALIASES].filter(([, { key }]) => section.has(key));
  const aliases = known.map(([name, { key, unit }]) => {
    const schema = unit === undefined ? (section.get(key) as JsonSchema) : { type: "number" };
    return [name, { ...schema, deprecated: true, description: `Another name for ${key}.` }] as const;
  });
  return new Map([...section, ...aliases]);
}

function place(section: Section, [word, ...rest]: readonly string[], schema: JsonSchema): void {
  if (rest.length === 0) return void section.set(word!, schema);
  const inner = section.get(word!) ?? new Map();
  section.set(word!, inner);
  place(inner as Section, rest, schema);
}

function object(section: Section): JsonSchema {
  const properties = [...section].map(([name, node]) => [name, node instanceof Map ? object(node) : node]);
  return { type: ["object", "null"], properties: Object.fromEntries(properties), additionalProperties: false };
}
