import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isRunning } from "../machine/index.ts";
import type { Dialect, HostFiles } from "./dialect.ts";
import { type Payload, textAt } from "./payload.ts";
import { transcriptOf } from "./transcripts.ts";

/** The last lines of it, of which one may hold the result of a call. */
const TRANSCRIPT_END = 200_000;
const LOOKS = 20;
const LOOK_EVERY_MS = 50;
/** A host that ends gives its servers a second or two; one that lives on only closed ours. */
const LOOKS_AT_HOST = 200;

/** Reads what a host keeps in files, when it is asked for; what cannot be read is not there. */
export function hostFilesOf(
  payload: Payload,
  dialect: Pick<Dialect, "transcript" | "repeats" | "tasks">,
  env: Readonly<Record<string, string | undefined>>,
): HostFiles {
  const session = textAt(payload, "session_id") ?? "";
  const places = { env, home: homedir() };
  const transcriptEnd = (): string => {
    try {
      const transcript = readFileSync(transcriptOf(payload, dialect, session, places) ?? "", "utf8");
      const once = dialect.repeats ? transcript.replaceAll(dialect.repeats, "") : transcript;
      return once.slice(-TRANSCRIPT_END);
    } catch {
      return "";
    }
  };
  const transcriptOnce: HostFiles["transcriptOnce"] = (isSo) => {
    for (let look = 0; look < LOOKS; look++) {
      const end = transcriptEnd();
      if (isSo(end)) return end;
      pause();
    }
    return transcriptEnd();
  };
  return {
    places,
    transcriptEnd,
    transcriptOnce,
    transcriptWith: (words) => transcriptOnce((end) => end.includes(words)),
    hostIsGone: () => {
      const host = payload.host_process;
      if (typeof host !== "number") return false;
      for (let look = 0; look < LOOKS_AT_HOST; look++) {
        if (!isRunning(host)) return true;
        pause();
      }
      return false; // it only closed our server
    },
    transcriptSize: () => {
      const path = textAt(payload, "transcript_path");
      return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
    },
    readTasks: () => {
      try {
        return dialect.tasks?.(session, places) ?? [];
      } catch {
        return []; // half written by the host, or gone: the next call shows the list again
      }
    },
  };
}

/** This process has nothing else to do. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
