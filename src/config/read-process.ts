import { nearest } from "../core/text/index.ts";
import { ENV_ALIASES, FLAG_ALIASES } from "./aliases.ts";
import type { LayerName, LayerReading } from "./layer.ts";
import { type ConfigProblem, type ConfigWarning, problemOf, twoValues } from "./problem.ts";
import { ROWS } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
/** What `parseArgs` gives for `flagOptions`; options of others beside them are left alone. */
export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const FLAGS: ReadonlyMap<string, string> = namesOf("flag");
const VARIABLES: ReadonlyMap<string, string> = namesOf("env");
/** Variables of ours that are no settings; with `GOAL`, `DRIVER`, `SUPERVISED` and `CONTINUES` a supervisor tells its hosts what they work on, and for whom; with `RUN_ID`, `BARRIER` and `TAKEOVER` a worker of a fleet does. */
const OTHER_VARIABLES = [
  "TILDONE_HOME",
  "TILDONE_OFF",
  "TILDONE_GOAL",
  "TILDONE_DRIVER",
  "TILDONE_SUPERVISED",
  "TILDONE_CONTINUES",
  "TILDONE_LOG_KEY",
  "TILDONE_GROUP",
  "TILDONE_PI_NETWORK",
  "TILDONE_API_KEY",
  "TILDONE_RUN_ID",
  "TILDONE_BARRIER",
  "TILDONE_TAKEOVER",
];

export function readEnvironment(env: Environment): LayerReading & { readonly warnings: readonly ConfigWarning[] } {
  const given = Object.entries(env).filter(([name, value]) => name.startsWith("TILDONE_") && value);
  const known = given.filter(([name]) => VARIABLES.has(ENV_ALIASES.get(name) ?? name));
  const warnings = given.flatMap(([name]) => unknownVariable(name));
  return { ...readTexts("environment", known.map(toGiven)), warnings };

  function toGiven([name, value]: readonly [string, string | undefined]): Given {
    return { source: name, key: VARIABLES.get(ENV_ALIASES.get(name) ?? name)!, value: value! };
  }
}

export function readFlags(flags: Flags): LayerReading {
  const given = Object.entries(flags).flatMap(([name, value]): Given[] => {
    const key = FLAGS.get(FLAG_ALIASES.get(name) ?? name);
    return key === undefined || value === undefined ? [] : [{ source: `--${name}`, key, value }];
  });
  return readTexts("flag", given);
}

/** The same settings as variables, for processes that inherit an environment and no flags. */
export function variablesOf(flags: Flags): Readonly<Record<string, string>> {
  const named = Object.entries(flags).flatMap(([name, value]) => {
    const key = FLAGS.get(FLAG_ALIASES.get(name) ?? name);
    const variable = key === undefined ? undefined : ROWS.get(key)?.env;
    return variable === undefined || value === undefined ? [] : [[variable, spelled(value)] as const];
  });
  return Object.fromEntries(named);
}

/** Several commands in one variable are one command: all of them. */
const spelled = (value: NonNullable<Flags[string]>): string =>
  typeof value === "object" && value.length > 1 ? value.map((one) => `(${one})`).join(" && ") : String(value);

/** Options for `parseArgs` of node:util, with `allowNegative` for switches. */
export const flagOptions: Readonly<
  Record<string, { readonly type: "string" | "boolean"; readonly multiple: boolean }>
> = Object.fromEntries(
  [...[...FLAGS.keys()].map((name) => [name, name] as const), ...FLAG_ALIASES].map(([name, canonical]) => {
    const { kind } = ROWS.get(FLAGS.get(canonical)!)!;
    return [name, { type: kind.schema.type === "boolean" ? "boolean" : "string", multiple: kind.isList === true }];
  }),
);

interface Given {
  readonly source: string;
  readonly key: string;
  readonly value: string | boolean | readonly (string | boolean)[];
}

function readTexts(name: LayerName, given: readonly Given[]): LayerReading {
  const entries = new Map<string, unknown>();
  const sources = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  for (const { source, key, value } of given) {
    const { kind } = ROWS.get(key)!;
    const reading = kind.read(fromTexts(kind, value));
    if (!reading.ok) {
      problems.push(...reading.mistakes.map((mistake) => problemOf(source, "", mistake)));
    } else if (entries.has(key) && JSON.stringify(entries.get(key)) !== JSON.stringify(reading.value)) {
      problems.push(twoValues(source, "", sources.get(key)!));
    } else {
      entries.set(key, reading.value);
      sources.set(key, source);
    }
  }
  if (entries.get(SWITCH) === true) {
    // Who asks for continuation by name wants it for the host and agent at hand too.
    for (const key of ["hosts.*.enabled", "agents.*.enabled"]) {
      entries.set(key, true);
      sources.set(key, sources.get(SWITCH)!);
    }
  }
  return { layer: { name, source: "", entries, sources }, problems };
}

const SWITCH = "continuation.enabled";

function fromTexts(kind: { fromText: (text: string) => unknown; isList?: true }, value: Given["value"]): unknown {
  if (typeof value === "string") return kind.fromText(value);
  if (typeof value === "boolean") return value;
  return value.flatMap((item) => (typeof item === "string" ? kind.fromText(item) : [item]));
}

function unknownVariable(name: string): ConfigWarning[] {
  if (VARIABLES.has(ENV_ALIASES.get(name) ?? name) || OTHER_VARIABLES.includes(name)) return [];
  const [meant] = nearest(name, [...VARIABLES.keys(), ...OTHER_VARIABLES]);
  const says = `is not a variable of tildone${meant === undefined ? "" : `; did you mean ${meant}?`}`;
  return [{ code: "unknown_variable", source: name, key: "", says }];
}

function namesOf(place: "flag" | "env"): ReadonlyMap<string, string> {
  return new Map([...ROWS].flatMap(([key, row]) => (row[place] === undefined ? [] : [[row[place], key] as const])));
}
