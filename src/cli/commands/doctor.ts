import { directories } from "../../config/index.ts";
import { span } from "../../core/text/index.ts";
import type { Finding } from "../../hooks/index.ts";
import { type Command, has, JSON_OPTION, UsageError } from "../command.ts";
import { EXAMINED, examineHost, type HostStanding, standingLine } from "../examine-hosts.ts";
import { examineAgent, examineMachine } from "../examine-machine.ts";
import { examineNotify } from "../examine-notify.ts";
import { unknownHost } from "../hosts.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { styleOf } from "../style.ts";
import { wrap } from "../wrap.ts";

const SHOWN_FAILURES = 3;

export const doctor: Command = {
  name: "doctor",
  takes: "[host]",
  summary: "Checks Node, the log, keys and every host, and says what to type about each problem.",
  examples: [
    ["tildone doctor", "this machine and every host"],
    ["tildone doctor codex", "one host: its files, every hook, the server"],
    ["tildone doctor --notify", "send a test notification and say what came back"],
  ],
  details: "Exit code 1: something is to be fixed. Keys are named, never shown.",
  completes: ["host"],
  options: {
    ...JSON_OPTION,
    notify: { type: "boolean", says: "Send a test by every channel of `notify`, and nothing else." },
  },
  words: 1,
  run: async (given, io) => {
    const named = EXAMINED.find((name) => name === given.words[0]);
    if (given.words[0] !== undefined && !named) throw new UsageError(unknownHost(given.words[0]));
    const isJson = has(given, "json");
    const findings: Finding[] = [];
    const standings: HostStanding[] = [];
    // All are asked at once, and each is shown as soon as those before it are.
    const parts = has(given, "notify")
      ? [examineNotify(io)]
      : [
          examineMachine(io),
          ...(named ? [] : [examineAgent()]),
          ...(named ? [named] : EXAMINED).map(async (name) => {
            const standing = await examineHost(name, named !== undefined, io);
            standings.push(standing);
            return [standingLine(standing), ...standing.findings.filter(({ status }) => named || status !== "ok")];
          }),
          failures(io),
        ];
    for (const part of parts)
      for (const finding of await part) {
        findings.push(finding);
        if (!isJson) io.out(`${MARKS(io)[finding.status]} ${hanging(finding.says, io.columns)}`);
      }
    if (isJson) io.out(jsonText({ findings, hosts: standings.map(standingFacts) }));
    return findings.some(({ status }) => status === "fix") ? 1 : 0;
  },
};

const standingFacts = ({ host, isInstalled, isSetUp, works }: HostStanding) => ({
  host,
  installed: isInstalled,
  setUp: isSetUp,
  works,
});

/** Below its mark, however narrow the terminal is, with a command to paste on a line of its own. */
const hanging = (text: string, columns: number): string =>
  wrap(text.replace(/ ((?:Run|Set up with): [^.]*\S)$/, "\n$1"), columns - 5).replaceAll("\n", "\n     ");

const MARKS = (io: Io) => {
  const style = styleOf(io);
  return { ok: style.role("success", "ok  "), note: style.role("dim", "note"), fix: style.role("error", "FIX ") };
};

/** Errors of ours inside a host let it continue; this is where they are seen. */
async function failures(io: Io): Promise<readonly Finding[]> {
  const { readFailures } = await import("../../hooks/index.ts");
  const all = readFailures(directories(io).state);
  return all.slice(-SHOWN_FAILURES).map(({ at, host, event, message }) => ({
    status: "note",
    says: `${host}: ${event} failed ${span(io.now() - at)} ago: ${message.slice(0, 200)} (${all.length} in all)`,
  }));
}
