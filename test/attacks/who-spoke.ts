/** Everything that only a person may say, as an agent would try it. */
export const LOOSENING = [
  "accept",
  "accept --checks",
  "approve",
  "approve --always-tool",
  "extend --tokens 999999",
  "todo done 0",
  "todo drop 0",
  "todo edit 0 nothing",
  "unhold",
  "trust --yes",
  "run --resume",
  "serve --pair",
] as const;

/** Ways to start a command that do not hide who started it. */
const WAYS: Readonly<Record<string, (line: string) => string>> = {
  direct: (line) => line,
  "sh -c": (line) => `sh -c '${line}; true'`,
  "a script": (line) => `printf '#!/bin/sh\\n%s\\n' '${line}' > x.sh; chmod +x x.sh; ./x.sh`,
  "env -i": (line) => `env -i PATH="$PATH" HOME="$HOME" TILDONE_HOME="$TILDONE_HOME" ${line}`,
  nohup: (line) => `nohup ${line}`,
  setsid: (line) => `setsid --wait ${line}`,
  "a terminal of its own": (line) => `script -qec '${line}' /dev/null`,
  "in the background": (line) => `(${line} &); sleep 4`,
  "in another folder": (line) => `cd / && ${line}`,
};

/** A script for a shell that tries all of it and writes what it was told to `told.txt`. */
export function attack(): string {
  const tries = [
    ...LOOSENING.map((words) => ["direct", words] as const),
    ...Object.keys(WAYS).flatMap((way) => [[way, "extend --tokens 999999"] as const]),
  ];
  const lines = tries.map(([way, words]) => {
    const started = WAYS[way]!(`tildone ${words}`);
    return `echo "== ${way}: ${words}" >> "$told"; (${started}) >> "$told" 2>&1 < /dev/null`;
  });
  return [`told="$PWD/told.txt"`, ...lines, 'echo "== end" >> "$told"'].join("\n");
}

/** What each try was told. */
export function toldIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^== /m).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [head = "", ...rest] = part.split("\n");
      return [head, rest.join(" ").replaceAll(/\s+/g, " ")] as const;
    }),
  );
}
