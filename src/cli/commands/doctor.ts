import { directories } from "../../config/index.ts";
import type { Finding } from "../../hosts/hook/index.ts";
import { type Command, UsageError } from "../command.ts";
import { HOSTS, unknownHost } from "../hosts.ts";
import type { Io } from "../io.ts";
import { span } from "../span.ts";
import { styleOf } from "../style.ts";
import { wrap } from "../wrap.ts";
import { requestFor } from "./install.ts";

const SHOWN_FAILURES = 3;

export const doctor: Command = {
  name: "doctor",
  takes: "[host]",
  summary:
    "Tries the hooks and the MCP server in claude-code, codex and gemini, and says what to do about each problem.",
  details: "Without a host, those in which tildone is installed. Exits with 1 if something is to be done.",
  options: {},
  words: 1,
  run: async (given, io) => {
    const { examineHost, isInstalled } = await import("../../hosts/hook/index.ts");
    const named = HOSTS.find((name) => name === given.words[0]);
    if (given.words[0] !== undefined && !named) throw new UsageError(unknownHost(given.words[0]));
    const findings: Finding[] = [];
    for (const host of named ? [named] : HOSTS) {
      const request = requestFor(host, "user", io);
      if (named || isInstalled(request)) findings.push(...(await examineHost(request)));
      else findings.push({ status: "note", says: `${host}: not installed; tildone install ${host} does it` });
    }
    findings.push(...(await failures(io)));
    for (const { status, says } of findings) io.out(`${MARKS(io)[status]} ${hanging(says, io.columns)}`);
    return findings.some(({ status }) => status === "fix") ? 1 : 0;
  },
};

/** Below its mark, however narrow the terminal is. */
const hanging = (text: string, columns: number): string => wrap(text, columns - 5).replaceAll("\n", "\n     ");

const MARKS = (io: Io) => {
  const style = styleOf(io);
  return { ok: style.role("success", "ok  "), note: style.role("dim", "note"), fix: style.role("error", "FIX ") };
};

/** Errors of ours inside a host let it go on; this is where they are seen. */
async function failures(io: Io): Promise<readonly Finding[]> {
  const { readFailures } = await import("../../hosts/hook/index.ts");
  const all = readFailures(directories(io).state);
  return all.slice(-SHOWN_FAILURES).map(({ at, host, event, message }) => ({
    status: "note",
    says: `${host}: ${event} failed ${span(io.now() - at)} ago: ${message.slice(0, 200)} (${all.length} in all)`,
  }));
}
