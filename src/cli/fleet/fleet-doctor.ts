import { counted, span } from "../../core/text/index.ts";
import type { Finding } from "../../hooks/index.ts";
import { findProgram } from "../../machine/index.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { styleOf } from "../style.ts";
import { wrap } from "../wrap.ts";
import { fleetSettings } from "./fleet-settings.ts";

const LONG_MS = 10 * 60_000;

/** Looks at everything that the fleet needs here, and says what to do about each problem. Exit code 1: something is to be fixed. */
export async function fleetDoctor(isJson: boolean, io: Io): Promise<number> {
  const findings = await examineFleet(io);
  if (isJson) io.out(jsonText({ findings }));
  else {
    const style = styleOf(io);
    const marks = {
      ok: style.role("success", "ok  "),
      note: style.role("dim", "note"),
      fix: style.role("error", "FIX "),
    };
    for (const { status, says } of findings)
      io.out(`${marks[status]} ${wrap(says, io.columns - 5).replaceAll("\n", "\n     ")}`);
  }
  return findings.some(({ status }) => status === "fix") ? 1 : 0;
}

export async function examineFleet(io: Io): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const say = (status: Finding["status"], says: string) => void findings.push({ status, says });
  let settings: Awaited<ReturnType<typeof fleetSettings>>;
  try {
    settings = await fleetSettings(io);
  } catch (error) {
    say("fix", messageOf(error));
    return findings;
  }
  say("ok", "a database is set (its address is never shown)");
  const { secure, says } = transportOf(settings.url);
  say(secure ? "ok" : "note", says);
  if (findProgram("git", io) === undefined) say("fix", "git is not on your PATH; workers and submit need it");
  say(
    settings.allow.length > 0 ? "ok" : "note",
    settings.allow.length > 0
      ? `workers here take ${settings.allow.length} repositories or patterns (fleet.allow)`
      : "fleet.allow is empty: a worker on this machine would take nothing",
  );
  try {
    const { isUp, openLedger, whyUnserved, loadDbos } = await import("../../fleet/index.ts");
    await loadDbos();
    const ledger = await openLedger(settings);
    try {
      say("ok", `the database answers, and its tables are those of this version (schema ${settings.schema})`);
      const [workers, queued] = [await ledger.workers(), await ledger.list({ states: ["queued"], limit: 1000 })];
      const up = workers.filter(isUp);
      say(
        up.length > 0 ? "ok" : "note",
        up.length > 0 ? `${up.length} workers are up` : "no worker is up: tildone worker",
      );
      for (const { id, silentMs } of workers.filter((worker) => !isUp(worker)).slice(0, 5))
        say("note", `worker ${id} was last heard of ${span(silentMs)} ago; others take its runs over`);
      const stuck = queued.filter((run) => whyUnserved(run, workers) !== undefined);
      const old = queued.filter(({ submittedAt }) => io.now() - submittedAt > LONG_MS);
      if (stuck.length > 0)
        say(
          "fix",
          `${counted(stuck.length, "queued run")} would never start; the oldest is ${stuck.at(-1)!.run}. ${whyUnserved(stuck.at(-1)!, workers)}`,
        );
      else if (old.length > 0)
        say("note", `${counted(old.length, "run")} queued for more than ${span(LONG_MS)}: add workers or slots`);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    say("fix", messageOf(error));
  }
  return findings;
}

/** The driver of the database checks a certificate for every mode but those that name none. */
function transportOf(url: string): { readonly secure: boolean; readonly says: string } {
  const { hostname, searchParams } = new URL(url);
  const mode = searchParams.get("sslmode");
  const isLocal = hostname === "" || hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (mode === "verify-full")
    return { secure: true, says: "the connection is encrypted and the server's name is checked" };
  if (isLocal) return { secure: true, says: "the database is on this machine" };
  return {
    secure: false,
    says: "the connection to the database may not be encrypted: add ?sslmode=verify-full to its address (docs/how-to/operate-a-fleet.md)",
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
