import { MODES_BY_STRICTNESS } from "./approval-kinds.ts";
import { CONFINE_BY_STRICTNESS } from "./confine-kind.ts";
import type { Layer, LayerName } from "./layer.ts";
import type { ConfigWarning } from "./problem.ts";
import { ROOM_BY_STRICTNESS } from "./room-kind.ts";
import type { Setting } from "./setting.ts";
import { ROWS, SCOPED_DEFAULTS, type Values } from "./settings.ts";
import type { Standing } from "./trust.ts";

/** For whom the values are: the host, and the agent where the host says which one works. */
export interface Scope {
  readonly host?: string;
  readonly agent?: string;
}

/** Where a value comes from, and how it would be written in a file. */
export interface Explained {
  readonly key: string;
  readonly value: string;
  readonly layer: LayerName;
  readonly source: string;
}

export interface Resolved {
  readonly values: Values;
  /** The minutes of an unattended run. */
  readonly unattendedMinutes: number;
  readonly explain: readonly Explained[];
  readonly warnings: readonly ConfigWarning[];
}

interface Found {
  readonly value: unknown;
  readonly layer: LayerName;
  readonly source: string;
  readonly path: string;
}

/**
 * The strongest layer wins; within one layer what stands under the agent beats what stands under the host, and that
 * beats the general one. A project that is not trusted is heard only where it tightens.
 */
export function resolve(layers: readonly Layer[], scope: Scope, project: Standing["status"]): Resolved {
  const warnings: ConfigWarning[] = [];
  const explain: Explained[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, row] of ROWS) {
    const found = layers.flatMap((layer) => lookUp(layer, key, row, scope));
    const result = row.kind.isList ? gather(row, found) : strongest(row, found);
    values[key] = result.value;
    explain.push({ key, value: shown(row, result.value), layer: result.layer, source: result.source });
  }
  return { values: values as Values, unattendedMinutes: unattended(values as Values), explain, warnings };

  /** A budget of a project that is not trusted may only shorten what holds without it. */
  function unattended({ "budget.minutes": own, "unattended.minutes": usual }: Values): number {
    const layer = explain.find(({ key }) => key === "budget.minutes")?.layer;
    if (own === undefined) return usual;
    return layer === "project" && project !== "trusted" ? Math.min(own, usual) : own;
  }

  function strongest(row: Setting<unknown>, found: readonly Found[]): Found {
    const start: Found = { value: row.default, layer: "default", source: "", path: "" };
    return found.reduce((base, next) => (mayFollow(row, base, next) ? next : base), start);
  }

  function mayFollow(row: Setting<unknown>, base: Found, next: Found): boolean {
    // A project is not the user: its `never` is as good as false, so that a flag can still overrule it.
    if (base.value === "never" && base.layer !== "project") {
      const says = `is not applied: this agent never continues (${base.layer}).`;
      if (next.value === true) warnings.push({ code: "never", source: next.source, key: next.path, says });
      return false;
    }
    if (next.layer === "project" && row.project === "never") {
      warnings.push(usersAlone(next));
      return false;
    }
    if (next.layer !== "project" || project === "trusted" || !loosens(row, next.value, base.value)) return true;
    warnings.push(needsTrust(next, project));
    return false;
  }

  /** Entries add up. Where a project only adds, it adds to the default too, so that trust never takes anything away. */
  function gather(row: Setting<unknown>, found: readonly Found[]): Found {
    const own = found.find(({ layer }) => layer === "project");
    const isHeard = project === "trusted" && row.project !== "add" && row.project !== "never";
    const heard = found.filter((each) => each !== own || isHeard);
    const start: Found = { value: row.default, layer: "default", source: "", path: "" };
    const base = heard.length === 0 ? start : { ...heard.at(-1)!, value: union(heard.map(entriesOf)) };
    if (own === undefined || isHeard || entriesOf(own).length === 0) return base;
    if (row.project === "add") return { ...own, value: union([entriesOf(base), entriesOf(own)]) };
    warnings.push(row.project === "never" ? usersAlone(own) : needsTrust(own, project));
    return base;
  }
}

/** Whether a project's value would allow more than what holds without it. */
export function loosens({ project }: Pick<Setting<unknown>, "project">, value: unknown, base: unknown): boolean {
  if (value === base) return false;
  switch (project) {
    case "set":
      return false;
    case "lower":
      return base !== undefined && (value as number) > (base as number);
    case "raise":
      return base !== undefined && (value as number) < (base as number);
    case "turn_off":
      return value === true;
    case "tighten":
      return strictness(value) < strictness(base);
    case "add":
    case "nothing":
    case "never":
      return true;
  }
}

const usersAlone = ({ source, path }: Found): ConfigWarning => {
  const says = "is not applied: only your own settings say this, also in a project that you trust.";
  return { code: "users_alone", source, key: path, says };
};

const LADDERS: readonly (readonly unknown[])[] = [MODES_BY_STRICTNESS, CONFINE_BY_STRICTNESS, ROOM_BY_STRICTNESS];
const strictness = (value: unknown): number => Math.max(...LADDERS.map((words) => words.indexOf(value)));

function lookUp(layer: Layer, key: string, row: Setting<unknown>, scope: Scope): Found[] {
  const path = placesOf(key, row, scope).find((place) => layer.entries.has(place));
  if (path === undefined) return [];
  const source = layer.sources?.get(path) ?? layer.source;
  return [{ value: layer.entries.get(path), layer: layer.name, source, path }];
}

/** Where a value for this host and agent may stand in a layer, the most particular place first. */
function placesOf(key: string, row: Setting<unknown>, { host, agent }: Scope): readonly string[] {
  const [section, star, leaf] = key.split(".");
  const names = { hosts: host, agents: agent?.toLowerCase() };
  if (star === "*") {
    const name = names[section as keyof typeof names];
    return name === undefined ? [key] : [`${section}.${name}.${leaf}`, key];
  }
  if (!row.scoped) return [key];
  const own = key.slice(key.indexOf(".") + 1);
  return [
    ...(names.agents === undefined ? [] : [`agents.${names.agents}.${own}`, `agents.*.${own}`]),
    ...(host === undefined ? [] : [`hosts.${host}.${own}`]),
    key,
  ];
}

export const defaultLayer: Layer = { name: "default", source: "", entries: SCOPED_DEFAULTS };

function needsTrust({ source, path }: Found, standing: Standing["status"]): ConfigWarning {
  const why = standing === "changed" ? "this file changed since you trusted it" : "you have not trusted this project";
  const says = `is not applied: it allows more than you do, and ${why}. \`tildone trust\` applies it.`;
  return { code: "needs_trust", source, key: path, says };
}

const entriesOf = ({ value }: Found): readonly unknown[] => value as readonly unknown[];

function union(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  return [...new Map(lists.flat().map((entry) => [JSON.stringify(entry), entry])).values()];
}

const shown = ({ kind }: Setting<unknown>, value: unknown): string =>
  value === undefined ? "" : (kind as { show: (value: unknown) => string }).show(value);
