import { ENV_ALIASES, FLAG_ALIASES, KEY_ALIASES } from "./aliases.ts";
import { PROJECT_MAY, type Setting } from "./setting.ts";
import { ROWS, SCOPED_DEFAULTS } from "./settings.ts";

/** One line of the reference. */
export interface DescribedSetting {
  readonly key: string;
  readonly says: string;
  /** Completes "must be ...". */
  readonly expected: string;
  /** As it would be written in a file; empty when nothing is set. */
  readonly default: string;
  /** What a number counts. */
  readonly unit: string;
  /** What holds where nothing is set. */
  readonly absent: string;
  /** What an untrusted project may do with it. */
  readonly project: string;
  readonly variables: readonly string[];
  readonly flags: readonly string[];
  /** May stand under `hosts.<host>` and `agents.<agent>` too. */
  readonly scoped: boolean;
}

export function describeConfig(): readonly DescribedSetting[] {
  return [...ROWS].map(([key, row]) => ({
    key,
    says: row.says,
    expected: row.kind.expected,
    default: defaultOf(key, row),
    unit: row.unit ?? "",
    absent: row.absent ?? "not set",
    project: PROJECT_MAY[row.project],
    variables: spellings(row.env, ENV_ALIASES),
    flags: spellings(row.flag, FLAG_ALIASES).map((name) => `--${name}`),
    scoped: row.scoped === true,
  }));
}

/** Other names that a file may use, each with the setting it stands for. */
export function describeAliases(): readonly { readonly name: string; readonly key: string }[] {
  return [...KEY_ALIASES].map(([name, { key }]) => ({ name, key }));
}

function defaultOf(key: string, { kind, default: value, scoped }: Setting<unknown>): string {
  const show = (shown: unknown): string => kind.show(shown as NonNullable<unknown>);
  const own = [...SCOPED_DEFAULTS]
    .filter(([path]) => isOf(path))
    .map(([path, particular]) => `${path.split(".")[1]} ${show(particular)}`);
  const general = value === undefined ? "" : show(value);
  return own.length === 0 ? general : `${general} (${own.join(", ")})`;

  function isOf(path: string): boolean {
    const [section, , leaf] = path.split(".");
    return key === `${section}.*.${leaf}` || (scoped === true && key === `continuation.${leaf}`);
  }
}

const spellings = (name: string | undefined, aliases: ReadonlyMap<string, string>): readonly string[] =>
  name === undefined
    ? []
    : [name, ...[...aliases].filter(([, canonical]) => canonical === name).map(([alias]) => alias)];
