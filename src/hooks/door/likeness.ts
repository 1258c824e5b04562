import { digestOf } from "../../core/call/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What an environment amounts to, without telling it: the server answers in its own, so a hook with another one asks no server. */
export interface Likeness {
  /** Where files and programs are found, and what tildone is told: the same on both sides. */
  readonly place: string;
  /** Every variable, for what runs commands; marks that hosts and shells leave in single processes aside. */
  readonly all: readonly string[];
}

export function likenessOf(env: Environment, home: string): Likeness {
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  const place = Object.fromEntries(given.filter(([name]) => PLACE.test(name)));
  const all = given.filter(([name]) => !MARKS.test(name)).map(([name, value]) => digestOf(name, value, ""));
  return { place: digestOf(home, place, ""), all };
}

/** Whether the server knows everything that the hook knows; more does no harm. */
export const isLike = (hook: Likeness, server: Likeness, what: keyof Likeness): boolean => {
  if (hook.place !== server.place) return false;
  const known = new Set(server.all);
  return what === "place" || hook.all.every((variable) => known.has(variable));
};

const PLACE = /^(PATH$|HOME$|TILDONE_|XDG_)/;
const MARKS =
  /^(_|PWD|OLDPWD|SHLVL|COLUMNS|LINES|TERM|COLORTERM|TRACEPARENT|AI_AGENT|GIT_EDITOR|NO_COLOR|FORCE_COLOR)$|^(CLAUDE|CODEX|GEMINI|MCP_|OTEL_|TERM_)/;
