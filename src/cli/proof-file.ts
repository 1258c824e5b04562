import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { type Envelope, isUnread, type LogRow, readRow } from "../core/run/index.ts";
import { errorCode } from "../machine/index.ts";
import { Failure } from "./command.ts";

/**
 * A run's log and the trees that its receipts name, in one file: a line that says what follows, the log as `runs export` writes it,
 * then a git pack to the end.
 */
export interface ProofFile {
  readonly run: string;
  /** Where the directory of the run lies in its project. */
  readonly prefix: string;
  readonly lines: readonly string[];
  readonly pack: Buffer;
}

const VERSION = 1;
const MOST_BYTES = 1024 ** 3;

export function writeProofFile(path: string, { run, prefix, lines, pack }: ProofFile): void {
  const file = openSync(path, "w", 0o600);
  try {
    const head = { tildone: "proof", version: VERSION, run, prefix, events: lines.length };
    for (const line of [JSON.stringify(head), ...lines]) writeSync(file, `${line}\n`);
    for (let at = 0; at < pack.length; ) at += writeSync(file, pack, at);
  } finally {
    closeSync(file);
  }
}

/** Nothing in it is believed: every line is read as a log is read, and the pack is whatever git makes of it. */
export function readProofFile(
  path: string,
  named: string,
): Omit<ProofFile, "lines"> & { readonly log: readonly Envelope[] } {
  const bytes = readBytes(path, named);
  let at = 0;
  const nextLine = () => {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) throw damaged(named, "it ends too early");
    const text = bytes.toString("utf8", at, end);
    at = end + 1;
    return text;
  };
  const head = parsed(bytes.indexOf(0x0a) < 0 ? "" : nextLine());
  if (head?.tildone !== "proof")
    throw new Failure(`${named} is not a proof of a run. Write one with: tildone runs export <run> --proof ${named}`);
  const { version, run, prefix, events } = head;
  if (version !== VERSION)
    throw new Failure(
      `${named} was written by another version of tildone (proof ${String(version)}); this one reads ${VERSION}.`,
    );
  if (typeof run !== "string" || typeof prefix !== "string" || !isFolder(prefix) || !Number.isSafeInteger(events))
    throw damaged(named, "its first line is wrong");
  const log: Envelope[] = [];
  for (let count = 0; count < (events as number); count++) {
    const row = parsed(nextLine());
    if (row?.run !== run) throw damaged(named, `event ${count + 1} is not of run ${run}`);
    const { run: _, ...rest } = row;
    const read = readRow(rest as unknown as LogRow);
    if (!isUnread(read)) log.push(read);
    else if (read.status === "damaged") throw damaged(named, `event ${count + 1}: ${read.problem}`);
  }
  if (log.length === 0) throw damaged(named, "it holds no event");
  return { run, prefix, log, pack: bytes.subarray(at) };
}

export const damaged = (named: string, problem: string): Failure =>
  new Failure(`${named} is damaged: ${problem}. Export the run again.`);

function readBytes(path: string, named: string): Buffer {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new Failure(`${named} is not a file.`);
    if (stat.size > MOST_BYTES) throw new Failure(`${named} is larger than 1 GB and is not read.`);
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new Failure(`There is no file ${named}.`);
    throw error;
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** "" or "inner/", and nothing that leads elsewhere. */
const isFolder = (prefix: string): boolean =>
  prefix === "" ||
  (prefix.endsWith("/") &&
    prefix
      .slice(0, -1)
      .split("/")
      .every((step) => step !== "" && step !== "." && step !== ".." && step !== ".git" && !step.includes("\0")));
