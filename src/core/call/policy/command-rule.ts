import { globsMeet } from "../../glob/index.ts";
import type { Word } from "../../shell/index.ts";
import type { Fit } from "./fit.ts";
import { ONLY_DATA, type ToolOptions, toolOptions } from "./global-options.ts";

/**
 * Whether a command is what a rule that asks or denies speaks of. Options in between are stepped over, in every reading that
 * makes sense; letters of options may be spelled in any order; a command that could start the one that is meant may fit.
 */
export function speaksOf(pattern: readonly string[], words: readonly Word[]): Fit {
  const meant = pattern.at(-1) === "*" ? pattern.slice(0, -1) : pattern;
  const direct = fitsCommand(meant, words);
  return direct === "no" && couldStart(meant, words) ? "maybe" : direct;
}

function fitsCommand([name = "*", ...rest]: readonly string[], words: readonly Word[]): Fit {
  const [first] = words;
  if (first === undefined) return "no";
  if (!first.literal) return weaker("maybe", fitsRest(rest, words));
  if (name === "*" || first.text === name) return fitsRest(rest, words);
  const base = baseOf(first.text).toLowerCase(); // some disks do not tell Git from git
  // `git-push` is `git push` without the blank, and `docker-compose down` is `docker compose down`.
  const joined = [name, ...rest].findIndex((_, at) => [name, ...rest.slice(0, at)].join("-").toLowerCase() === base);
  if (joined >= 0) return fitsRest(rest.slice(joined), words);
  // `pip3.12` and `npm@latest` are `pip` and `npm` of one version.
  return withoutVersion(base) === name.toLowerCase() ? weaker("maybe", fitsRest(rest, words)) : "no";
}

const ORDER: readonly Fit[] = ["no", "maybe", "yes"];
const weaker = (a: Fit, b: Fit): Fit => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);
const stronger = (a: Fit, b: Fit): Fit => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);

const baseOf = (text: string): string => text.slice(text.lastIndexOf("/") + 1).replace(/\.(exe|cmd|bat)$/i, "");

const withoutVersion = (base: string): string => base.replace(/(@.*|[\d.]+)$/, "");

function fitsRest(rest: readonly string[], words: readonly Word[]): Fit {
  const options = rest.filter(isOption).map((option) => fitsOption(option, words));
  const positions = rest.filter((word) => !isOption(word));
  return options.reduce(weaker, fitsPositions(positions, words));
}

const isOption = (word: string): boolean => word.length > 1 && word.startsWith("-");

/** From the back: at each word, how well the rest of the pattern fits from there on. Linear in the words. */
function fitsPositions(pattern: readonly string[], words: readonly Word[]): Fit {
  const { values, flags, anyOrder, rooms, abbreviates } =
    toolOptions()[baseOf(words[0]!.text).toLowerCase()] ?? UNKNOWN;
  const end: readonly Fit[] = pattern.map((): Fit => "no").concat("yes");
  let next = end; // from the word after this one
  let afterNext = end;
  for (let at = words.length - 1; at > 0; at--) {
    const word = words[at]!;
    const here = pattern.map((expected, index): Fit => {
      if (!word.literal) return "maybe";
      if (isOption(word.text)) {
        if (word.text.includes("=") || flags.has(word.text)) return next[index]!;
        if (values.has(word.text)) return afterNext[index]!;
        return stronger(next[index]!, weaker("maybe", afterNext[index]!));
      }
      const isNear = couldBe(word, expected) || (abbreviates === true && isBegun(word.text, expected));
      const fit = expected === "*" || word.text === expected ? "yes" : isNear ? "maybe" : "no";
      const taken = weaker(fit, next[index + 1]!);
      const isVersion = word.text.startsWith("+"); // `cargo +nightly publish`
      const isStepped = anyOrder || isAssignment(word.text) || isVersion || rooms?.has(word.text);
      return isStepped ? stronger(taken, next[index]!) : taken;
    });
    afterNext = next;
    next = [...here, "yes"];
  }
  return next[0]!;
}

const UNKNOWN: ToolOptions = { values: new Set(), flags: new Set() };
const isBegun = (text: string, expected: string): boolean => text.length > 2 && expected.startsWith(text);
const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text);
/** The shell puts names of files in place of a pattern, and a file may have any name. */
const couldBe = ({ text, pattern }: Word, expected: string): boolean =>
  pattern && /[*?[]/.test(text) && globsMeet(text.replace(/\[[^\]]*\]?/g, "?"), expected);

/** `-rf` is `-r -f` and `-fr`; `--force` may be shortened, or have a letter of its own. */
function fitsOption(option: string, words: readonly Word[]): Fit {
  let found: Fit = "no";
  for (const { text, literal } of words.slice(1)) {
    if (!literal) found = stronger(found, "maybe");
    else if (text === option || text.startsWith(`${option}=`)) return "yes";
  }
  if (option.startsWith("--")) {
    const letter = option[2]!;
    const isNear = ({ text }: Word) =>
      (text.startsWith("--") && text.length > 3 && (option.startsWith(text) || text.startsWith(option))) ||
      (/^-[A-Za-z]/.test(text) && text.includes(letter));
    return words.slice(1).some(isNear) ? "maybe" : found;
  }
  const letters = [...option.slice(1)];
  const given = words.slice(1).flatMap(({ text }) => (/^-[A-Za-z0-9]/.test(text) ? [...text.slice(1)] : []));
  const long = words.slice(1).flatMap(({ text }) => (/^--[a-z]/.test(text) ? [text[2]!] : []));
  if (letters.every((letter) => given.includes(letter))) return "yes";
  const isNear = letters.every((letter) => {
    const either = [letter.toLowerCase(), letter.toUpperCase()]; // `rm -R` is `rm -r`
    return either.some((one) => given.includes(one)) || long.includes(letter.toLowerCase());
  });
  return isNear ? "maybe" : found;
}

/** A program that is not known may start what its words say: `flock x git push`, `script -c "git push"`. */
function couldStart(pattern: readonly string[], words: readonly Word[]): boolean {
  const [first, ...others] = words;
  if (first === undefined || !first.literal || pattern[0] === "*") return false;
  const base = baseOf(first.text).toLowerCase();
  if (ONLY_DATA.has(base)) return false;
  const isKnown = toolOptions()[base] !== undefined;
  const from = isKnown && pattern.length === 1 ? others.findIndex(({ text }) => STARTS.test(text)) + 1 : 0;
  if (isKnown && pattern.length === 1 && from === 0) return false;
  const tail = others.slice(from);
  // An alias may stand for any subcommand of its tool.
  if (base === pattern[0] && others.some(({ text }) => text.startsWith("alias."))) return true;
  if (tail.some((word) => word.text.length > pattern[0]!.length && mentions(word.text, pattern))) return true;
  const at = tail.findIndex(({ text }) => [baseOf(text), withoutVersion(baseOf(text))].includes(pattern[0]!));
  return at >= 0 && fitsRest(pattern.slice(1), tail.slice(at)) !== "no";
}

const STARTS = /^(--|exec|run|x|dlx|foreach|shell|--exec|-x)$/;

/** Whether a script in one word holds the words of the pattern, one after the other, in one of its commands. */
function mentions(script: string, pattern: readonly string[]): boolean {
  return script.split(/[\n;|&]/).some((command) => {
    let next = 0;
    for (const word of command.split(/[^\w.@+-]+/)) if (word === pattern[next]) next++;
    return next === pattern.length;
  });
}
