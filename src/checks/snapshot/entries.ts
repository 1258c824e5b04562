/** One file of a tree, as git names it. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}
/** A tree as a flat list. A path is bytes (latin1), relative to the project's root, with slashes. */
export type Entries = ReadonlyMap<string, Entry>;

export const GITLINK = "160000";

/** What `git update-index --index-info -z` reads. */
export const indexInfo = (entries: Entries): Buffer =>
  Buffer.from([...entries].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join(""), "latin1");

/** The same in bytes and in text, as nearly all are. */
const PLAIN = /^[\x20-\x7e]*$/;

export const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1");
export const asText = (path: string): string => (PLAIN.test(path) ? path : bytesOf(path).toString("utf8"));
export const asBytes = (path: string): string => Buffer.from(path).toString("latin1");

export const isSame = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a === b || (a?.oid === b?.oid && a?.mode === b?.mode);

/** The paths of what is another one or gone, and then of what is new. */
export function differingIn(old: Entries, now: Entries): readonly string[] {
  const differing: string[] = [];
  let stayed = 0;
  for (const [path, entry] of old) {
    const other = now.get(path);
    if (other) stayed++;
    if (!isSame(entry, other)) differing.push(path);
  }
  // Mostly nothing is new, and then they are gone through once.
  if (stayed < now.size) for (const path of now.keys()) if (!old.has(path)) differing.push(path);
  return differing;
}

/** Found out when it is asked for. */
export function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
