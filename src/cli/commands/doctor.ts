import {
  directories,
  HOOK_HOSTS,
  HOST_NAMES,
  type HostName,
  isDropped,
  loadConfig,
  sayProblem,
  sayWarning,
} from "../../config/index.ts";
import { span } from "../../core/text/index.ts";
import type { Finding } from "../../hooks/index.ts";
import { type HostProfile, PROFILES } from "../../hosts/index.ts";
import { findProgram } from "../../machine/index.ts";
import { type Command, has, JSON_OPTION, UsageError } from "../command.ts";
import { unknownHost } from "../hosts.ts";
import type { Io } from "../io.ts";
import { styleOf } from "../style.ts";
import { wrap } from "../wrap.ts";
import { requestFor } from "./install.ts";

const SHOWN_FAILURES = 3;
const EXAMINED = HOST_NAMES.filter((name) => PROFILES[name].hook ?? PROFILES[name].examine);

export const doctor: Command = {
  name: "doctor",
  takes: "[host]",
  summary: "Checks Node, the log, keys and every host, and says what to type about each problem.",
  details: "Without a host, those in which tildone is installed. Exits with 1 if something is to be done.",
  completes: ["host"],
  options: JSON_OPTION,
  words: 1,
  run: async (given, io) => {
    const named = EXAMINED.find((name) => name === given.words[0]);
    if (given.words[0] !== undefined && !named) throw new UsageError(unknownHost(given.words[0]));
    const findings = [...(await examineSelf(io))];
    for (const host of named ? [named] : EXAMINED) findings.push(...(await examine(host, named !== undefined, io)));
    findings.push(...(await failures(io)));
    if (has(given, "json")) io.out(JSON.stringify(findings));
    else for (const { status, says } of findings) io.out(`${MARKS(io)[status]} ${hanging(says, io.columns)}`);
    return findings.some(({ status }) => status === "fix") ? 1 : 0;
  },
};

async function examine(name: HostName, isNamed: boolean, io: Io): Promise<readonly Finding[]> {
  const host = HOOK_HOSTS.find((one) => one === name);
  if (!host) return examineResident(PROFILES[name], isNamed, io);
  const { examineHost, isInstalled } = await import("../../hooks/index.ts");
  const request = requestFor(host, "user", io);
  if (isNamed || isInstalled(request)) return examineHost(request);
  return [{ status: "note", says: notInstalled(host, PROFILES[host].program, io) }];
}

function examineResident({ name, program, examine }: HostProfile, isNamed: boolean, io: Io): readonly Finding[] {
  const findings = examine?.(io) ?? [];
  const isUsed = findings.some(({ status }) => status === "ok");
  const isThere = findProgram(program, io) !== undefined;
  if (!isUsed && !isNamed && !isThere) return [{ status: "note", says: `${name}: not installed` }];
  return [
    ...(isThere ? [] : [{ status: "note", says: `${name}: ${program} is not on your PATH` } as const]),
    // You did not ask about this host, so nothing is wrong if tildone is not in it.
    ...findings.map((one) => (isNamed || isUsed ? one : { ...one, status: "note" as const })),
  ];
}

/** A host that is there and has no tildone is worth a word: a run in it would stop early, and nobody would say so. */
const notInstalled = (host: string, program: string, io: Io): string =>
  findProgram(program, io) === undefined
    ? `${host}: not installed. To put it in: tildone install ${host}`
    : `${host}: ${program} is here without tildone. To put it in: tildone install ${host}`;

/** What every host needs: a log that can be written, settings that can be read, and that nobody switched it off. */
async function examineSelf(io: Io): Promise<readonly Finding[]> {
  const { database } = directories(io);
  const { tryStore } = await import("../../store/index.ts");
  const problem = await tryStore(database);
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
  return [
    problem === undefined
      ? { status: "ok", says: `the log can be written: ${database}` }
      : { status: "fix", says: `No run can be kept, and hooks do nothing. ${problem}` },
    ...(loaded.ok
      ? loaded.warnings.filter(isDropped).map((warning) => ({ status: "fix", says: sayWarning(warning) }) as const)
      : [{ status: "fix", says: `Hooks do nothing: ${loaded.errors.map(sayProblem).join(" ")}` } as const]),
    ...(io.env.TILDONE_OFF
      ? [{ status: "fix", says: "TILDONE_OFF is set: tildone does nothing. Unset it" } as const]
      : []),
  ];
}

/** Below its mark, however narrow the terminal is, with a command to paste on a line of its own. */
const hanging = (text: string, columns: number): string =>
  wrap(text.replace(/ ((?:Run|To put it in): tildone [^.]*)$/, "\n$1"), columns - 5).replaceAll("\n", "\n     ");

const MARKS = (io: Io) => {
  const style = styleOf(io);
  return { ok: style.role("success", "ok  "), note: style.role("dim", "note"), fix: style.role("error", "FIX ") };
};

/** Errors of ours inside a host let it go on; this is where they are seen. */
async function failures(io: Io): Promise<readonly Finding[]> {
  const { readFailures } = await import("../../hooks/index.ts");
  const all = readFailures(directories(io).state);
  return all.slice(-SHOWN_FAILURES).map(({ at, host, event, message }) => ({
    status: "note",
    says: `${host}: ${event} failed ${span(io.now() - at)} ago: ${message.slice(0, 200)} (${all.length} in all)`,
  }));
}
