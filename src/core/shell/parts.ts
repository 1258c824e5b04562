import type { Command, Redirects, Word } from "./command.ts";
import { readShell } from "./read-shell.ts";

/**
 * One thing a shell line does. A `wrapper` (`timeout 5 …`, `sh -c …`) only starts what follows it, so it can be
 * denied but need not be allowed; what it starts is a part of its own.
 */
export type ShellPart =
  | { readonly type: "command"; readonly words: readonly Word[]; readonly environment: boolean }
  | { readonly type: "wrapper"; readonly words: readonly Word[] }
  | { readonly type: "redirect"; readonly access: "read" | "write"; readonly path: Word }
  | { readonly type: "unreadable" };

/** Every part of a shell line, the commands inside its wrappers included. */
export function partsOf(line: string, command = readShell(line)): readonly ShellPart[] {
  return command === undefined ? UNREADABLE : partsIn(command, 0);
}

const UNREADABLE: readonly ShellPart[] = [{ type: "unreadable" }];

function partsWithin(line: string, depth: number): readonly ShellPart[] {
  const command = depth > 8 ? undefined : readShell(line);
  return command === undefined ? UNREADABLE : partsIn(command, depth);
}

/** In the order of the line, except that what a substitution runs comes before the command that needs its text. */
function partsIn(command: Command, depth: number): readonly ShellPart[] {
  const within = (commands: readonly Command[]) => commands.flatMap((each) => partsIn(each, depth));
  const inWords = (words: readonly Word[]) => words.flatMap(({ runs }) => within(runs));
  switch (command.type) {
    case "simple": {
      const { assignments, words } = command;
      const started = startedBy({ words: asNamed(words), environment: assignments.length > 0 }, depth);
      return [...inWords([...assignments, ...words]), ...redirected(command, inWords), ...started, ...filesOf(command)];
    }
    case "pipeline":
      return within(command.commands);
    case "chain":
      return within([command.first, ...command.rest.map((link) => link.command)]);
    case "list":
      return within(command.items.map((item) => item.command));
    case "group":
      return [...redirected(command, inWords), ...partsIn(command.body, depth), ...filesOf(command)];
    case "compound": {
      const before = [...inWords(command.words), ...redirected(command, inWords)];
      return [...before, ...within(command.bodies), ...filesOf(command)];
    }
    case "test":
      return UNREADABLE;
  }
}

/** A pattern as the name of a command may stand for any file. */
function asNamed([name, ...rest]: readonly Word[]): readonly Word[] {
  return name === undefined ? [] : [{ ...name, literal: name.literal && !name.pattern }, ...rest];
}

function redirected({ writes, reads, feeds }: Redirects, inWords: (words: readonly Word[]) => readonly ShellPart[]) {
  return inWords([...writes, ...reads, ...feeds]);
}

function filesOf({ writes, reads }: Redirects): ShellPart[] {
  return [
    ...writes.map((path): ShellPart => ({ type: "redirect", access: "write", path })),
    ...reads.map((path): ShellPart => ({ type: "redirect", access: "read", path })),
  ];
}

interface Started {
  readonly words: readonly Word[];
  readonly environment: boolean;
}

function startedBy(command: Started, depth: number): readonly ShellPart[] {
  const { words, environment } = command;
  const name = words[0];
  if (name === undefined) return environment ? [{ type: "command", words, environment }] : [];
  const self: ShellPart = { type: "command", words, environment };
  const base = name.literal ? baseName(name.text) : "";
  if (depth > 8) return UNREADABLE;
  if (SHELLS.has(base)) return startedByShell(self, words, depth);
  if (base === "eval") return [{ type: "wrapper", words }, ...scriptParts(words.slice(1), depth)];
  if (base === "find") return [self, ...startedByFind(words, depth)];
  const wrapper = WRAPPERS[base];
  if (wrapper === undefined || (base === "command" && words[1]?.text.startsWith("-v"))) return [self];
  const inner = afterOptions(words, wrapper);
  if (inner === undefined) return [self, { type: "unreadable" }];
  const outer: ShellPart = wrapper.gainsRights === true ? self : { type: "wrapper", words };
  const started = { words: inner.words, environment: environment || inner.environment };
  return [outer, ...startedBy(started, depth + 1)];
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "su"]);

/** `bash -lc 'script' name args`; a shell without `-c` is a command like any other. */
function startedByShell(self: ShellPart, words: readonly Word[], depth: number): readonly ShellPart[] {
  const flag = words.findIndex(({ text, literal }) => literal && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  // Without a file it reads its commands from somewhere that was not read.
  if (flag < 0) return words.slice(1).every(isShellOption) ? [self, ...UNREADABLE] : [self];
  const script = words.slice(flag + 1).find(({ text }) => !text.startsWith("-"));
  const outer: ShellPart = words[0]!.text.endsWith("su") ? self : { type: "wrapper", words };
  return [outer, ...(script === undefined ? UNREADABLE : scriptParts([script], depth))];
}

const isShellOption = ({ text }: Word): boolean =>
  text === "-" || (/^[-+]/.test(text) && !/^--(version|help)$/.test(text));

function scriptParts(words: readonly Word[], depth: number): readonly ShellPart[] {
  if (words.some(({ literal }) => !literal)) return UNREADABLE;
  return partsWithin(words.map(({ text }) => text).join(" "), depth + 1);
}

/** `find … -exec command … ;` starts commands, and `-delete` is `rm` by another name. */
function startedByFind(words: readonly Word[], depth: number): ShellPart[] {
  const parts: ShellPart[] = [];
  let started = 0;
  for (const [index, { text }] of words.entries()) {
    if (text === "-delete") parts.push({ type: "command", words: [RM], environment: false });
    if (!/^-(exec|ok)(dir)?$/.test(text)) continue;
    if (++started > MOST_STARTED) return [...UNREADABLE];
    const rest = words.slice(index + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    const inner = (end < 0 ? rest : rest.slice(0, end)).map((word) =>
      word.text.includes("{}") ? { ...word, literal: false } : word,
    );
    parts.push(...startedBy({ words: inner, environment: false }, depth + 1));
  }
  return parts;
}

const MOST_STARTED = 50;
const RM: Word = { text: "rm", literal: true, pattern: false, runs: [] };
const MORE: Word = { text: "…", literal: false, pattern: false, runs: [] };

interface Wrapper {
  /** Letters of options without and with a value. Any other option makes the line unreadable. */
  readonly flags?: string;
  readonly values?: string;
  readonly long?: readonly string[];
  /** Long options whose value is the next word, unless it is given with `=`. */
  readonly longValues?: readonly string[];
  /** Words between the options and the command. */
  readonly positions?: number;
  readonly assignments?: true;
  /** It adds words of its own to the command. */
  readonly appends?: true;
  /** It must be allowed itself. */
  readonly gainsRights?: true;
}

const DIGITS = "0123456789";

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  setsid: { flags: "cfw", long: ["--ctty", "--fork", "--wait"] },
  command: { flags: "p" },
  builtin: {},
  noglob: {},
  exec: { flags: "cl", values: "a" },
  // As a word of the shell it may be followed by assignments.
  time: {
    flags: "apqvV",
    values: "fo",
    long: ["--append", "--portability", "--quiet", "--verbose"],
    longValues: ["--format", "--output"],
    assignments: true,
  },
  stdbuf: { values: "ioe", longValues: ["--input", "--output", "--error"] },
  nice: { flags: DIGITS, values: "n", longValues: ["--adjustment"] },
  ionice: { flags: "t", values: "cn", long: ["--ignore"], longValues: ["--class", "--classdata"] },
  timeout: {
    flags: "fv",
    values: "ks",
    long: ["--foreground", "--preserve-status", "--verbose"],
    longValues: ["--signal", "--kill-after"],
    positions: 1,
  },
  env: {
    flags: "i0v",
    values: "uCa",
    long: ["--ignore-environment", "--null", "--debug", "--list-signal-handling"],
    longValues: ["--unset", "--chdir", "--argv0"],
    assignments: true,
  },
  xargs: {
    flags: "0rtxpo",
    values: "InPdLsEa",
    long: ["--null", "--no-run-if-empty", "--verbose", "--exit", "--interactive", "--open-tty"],
    longValues: [
      "--max-args",
      "--max-procs",
      "--delimiter",
      "--max-lines",
      "--max-chars",
      "--arg-file",
      "--replace",
      "--eof",
    ],
    appends: true,
  },
  sudo: {
    flags: "AbEeHiKklnPSsN",
    values: "CDghpRrTtUu",
    long: [
      "--askpass",
      "--background",
      "--preserve-env",
      "--set-home",
      "--login",
      "--non-interactive",
      "--preserve-groups",
      "--stdin",
      "--shell",
      "--reset-timestamp",
      "--no-update",
    ],
    longValues:
      "--close-from --chdir --group --host --prompt --chroot --role --command-timeout --type --other-user --user".split(
        " ",
      ),
    assignments: true,
    gainsRights: true,
  },
  doas: { flags: "nLs", values: "uC", gainsRights: true },
};

function afterOptions(words: readonly Word[], wrapper: Wrapper): Started | undefined {
  const { flags = "", values = "", long = [], longValues = [], positions = 0 } = wrapper;
  let at = 1;
  for (; at < words.length; at++) {
    const { text, literal } = words[at]!;
    if (!literal) return undefined;
    if (!text.startsWith("-")) break;
    if (text === "--") {
      at++;
      break;
    }
    if (text.startsWith("--")) {
      const [name, value] = text.split("=", 2);
      const takesValue = longValues.includes(name!);
      if (!takesValue && !long.includes(name!)) return undefined;
      if (takesValue && value === undefined) at++;
      continue;
    }
    const taking = [...text.slice(1)].findIndex((letter) => !flags.includes(letter));
    if (taking < 0) continue;
    if (!values.includes(text[taking + 1]!)) return undefined;
    if (taking + 2 === text.length) at++; // the value is the next word
  }
  let environment = false;
  while (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(words[at]?.text ?? "")) {
    environment = true;
    at++;
  }
  const inner = words.slice(at + positions);
  const more = wrapper.appends === true && inner.length > 0 ? [MORE] : [];
  return { words: [...inner, ...more], environment };
}
