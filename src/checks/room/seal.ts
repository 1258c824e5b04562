import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../../machine/index.ts";
import { asText, type Entries, type Entry } from "../snapshot/index.ts";

/** What the files of a judge looked like when their room was made, to tell whether something changed them since. */
export interface Seal {
  /** Names of files that were changed, also if they are again what they were: that time of a file cannot be set back. */
  broken(): readonly string[];
}

/** Undefined: one of them is not what its name says already. */
export function sealed(paths: readonly string[], entries: Entries, work: string): Seal | undefined {
  const own = paths.flatMap((path) => (entries.has(path) ? [{ path, entry: entries.get(path)! }] : []));
  const marks = own.map(({ path }) => markOf(placeOf(work, path)));
  const isWhole = ({ path, entry }: (typeof own)[number]) => isItself(placeOf(work, path), entry);
  if (!own.every(isWhole)) return undefined;
  return {
    // Within one tick of its clock a file system tells no two changes apart: so the content is asked as well.
    broken: () =>
      own
        .filter((file, at) => markOf(placeOf(work, file.path)) !== marks[at] || !isWhole(file))
        .map(({ path }) => asText(path)),
  };
}

const placeOf = (work: string, path: string): Buffer =>
  Buffer.from(join(Buffer.from(work).toString("latin1"), path), "latin1");

function markOf(place: Buffer): string {
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "gone";
}

const LINK = "120000";

function isItself(place: Buffer, { mode, oid }: Entry): boolean {
  try {
    const content = mode === LINK ? readlinkSync(place, { encoding: "buffer" }) : readFileSync(place);
    return hashOf("sha1", Buffer.from(`blob ${content.length}\0`), content).toString("hex") === oid;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false; // it is not there
    throw error;
  }
}
