export type Matches = (path: string) => boolean;

/** `*` and `?` stay within one step of a path, `**` crosses them, `{a,b}` is either. Everything else is itself. */
export function glob(pattern: string): Matches {
  const ways = alternatives(pattern.replace(/(?:\*\*\/)+/g, "**/")).map((way) => way.match(TOKENS) ?? []);
  if (ways.every(isTame)) return expression(ways);
  return (path) => ways.some((tokens) => fits(tokens, path));
}

const TOKENS = /\*\*\/|\*\*|./gsu;
const STANDS_FOR: ReadonlyMap<string, string> = new Map([
  ["**/", "(?:.*/)?"],
  ["**", ".*"],
  ["*", "[^/]*"],
  ["?", "[^/]"],
]);

/** Few enough to be an expression, which is fast, without any path on which it would be slow. */
const isTame = (tokens: readonly string[]): boolean => tokens.filter((token) => token.startsWith("*")).length <= 3;

function expression(ways: readonly (readonly string[])[]): Matches {
  const source = ways.map((tokens) =>
    tokens.map((token) => STANDS_FOR.get(token) ?? token.replace(/[.+^${}()|[\]\\/]/, "\\$&")).join(""),
  );
  const compiled = new RegExp(`^(?:${source.join("|")})$`, "s");
  return (path) => compiled.test(path);
}

export function matchesAny(patterns: readonly string[]): Matches {
  const each = patterns.map((pattern) => glob(pattern.replace(/^\.\//, "")));
  return (path) => each.some((matches) => matches(path));
}

/**
 * Every way through the tokens at once, character by character: patterns come from models and repositories, and an
 * expression that backtracks could be made to take forever.
 */
function fits(tokens: readonly string[], path: string): boolean {
  let places = new Set<number>();
  reach(tokens, 0, places);
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) step(tokens, place, character, next);
    places = next;
  }
  return places.has(tokens.length);
}

function step(tokens: readonly string[], place: number, character: string, next: Set<number>): void {
  if (place < 0) {
    if (character === "/") reach(tokens, within(place), next);
    else next.add(place);
    return;
  }
  switch (tokens[place]) {
    case undefined:
      return;
    case "*":
      if (character !== "/") reach(tokens, place, next);
      return;
    case "**":
      reach(tokens, place, next);
      return;
    case "**/":
      if (character === "/") reach(tokens, place, next);
      else next.add(within(place));
      return;
    case "?":
      if (character !== "/") reach(tokens, place + 1, next);
      return;
    default:
      if (tokens[place] === character) reach(tokens, place + 1, next);
  }
}

/** Inside one of the steps of a "**\/": it is not over before the next slash. Its own inverse. */
const within = (place: number): number => -1 - place;

/** A token that may stand for nothing is also passed over. */
function reach(tokens: readonly string[], place: number, places: Set<number>): void {
  for (let at = place; !places.has(at); at++) {
    places.add(at);
    const token = tokens[at];
    if (token !== "*" && token !== "**" && token !== "**/") return;
  }
}

/** Whether some path fits both. Where it would take too long to find out, it may. */
export function globsMeet(one: string, other: string): boolean {
  if (one.length > LONGEST_MET || other.length > LONGEST_MET) return true;
  const ways = (pattern: string) => alternatives(pattern).map((way) => way.match(TOKENS) ?? []);
  return ways(one).some((a) => ways(other).some((b) => meet(a, b)));
}

const LONGEST_MET = 1_000;

/** Through both at once, with every character that could make a difference. */
function meet(a: readonly string[], b: readonly string[]): boolean {
  const letters = new Set([...a, ...b, "/", "\0"].filter((token) => [...token].length === 1));
  const seen = new Set<string>();
  const open: [number, number][] = [];
  const add = (places: Set<number>, others: Set<number>) => {
    for (const place of places)
      for (const other of others) {
        const key = `${place} ${other}`;
        if (!seen.has(key)) open.push([place, other]);
        seen.add(key);
      }
  };
  add(reached(a, 0), reached(b, 0));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, other] = next;
    if (place === a.length && other === b.length) return true;
    for (const letter of letters) add(stepped(a, place, letter), stepped(b, other, letter));
  }
  return false;
}

function reached(tokens: readonly string[], place: number): Set<number> {
  const places = new Set<number>();
  reach(tokens, place, places);
  return places;
}

function stepped(tokens: readonly string[], place: number, character: string): Set<number> {
  const next = new Set<number>();
  step(tokens, place, character, next);
  return next;
}

const MOST_ALTERNATIVES = 64;

/** One pattern for each way through its braces; a brace that is not closed is a brace, and too many ways are none. */
function alternatives(pattern: string): readonly string[] {
  let ways = [pattern];
  for (;;) {
    const expanded = ways.flatMap((way) => expandFirst(way) ?? [way]);
    if (expanded.length === ways.length || expanded.length > MOST_ALTERNATIVES) return ways;
    ways = expanded;
  }
}

function expandFirst(pattern: string): readonly string[] | undefined {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!found) return undefined;
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)];
  return found[1]!.split(",").map((one) => `${before}${one}${after}`);
}
