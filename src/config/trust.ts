import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { attempt, errorCode, makeFolder } from "../machine/index.ts";
import { isRecord } from "./fields.ts";

/** The digest of what is not read, because it leads out of the project or is no plain file: it is never trusted. */
export const NEVER_TRUSTED = "";

/** A file of a project as it was shown to the user: `path` from the project's root, `digest` of its bytes. */
export interface TrustedFile {
  readonly path: string;
  readonly digest: string;
}

export interface TrustedProject {
  readonly root: string;
  readonly files: readonly TrustedFile[];
  /** Stands for the files that the user did not want to trust. */
  readonly declined?: string;
}

/**
 * What the user trusts, kept in the user's state folder. Trust is of content: a file that changed or that is new
 * since then is not trusted, and the user is asked again. One file per project, so that two writers never meet.
 */
export interface Trust {
  /** Whether every one of these files was trusted as it is now. */
  isTrusted(root: string, files: readonly TrustedFile[]): boolean;
  standing(root: string, files: readonly TrustedFile[]): Standing;
  /** Whether the user said no to exactly these files. */
  isDeclined(root: string, files: readonly TrustedFile[]): boolean;
  decline(root: string, files: readonly TrustedFile[]): void;
  /** Trusts exactly these files; what was trusted before and is not among them is forgotten. */
  trust(root: string, files: readonly TrustedFile[]): void;
  /** False if it was not trusted. */
  untrust(root: string): boolean;
  list(): readonly TrustedProject[];
}

export interface Standing {
  /** `changed`: the user trusted this project once, but not these files as they are now. */
  readonly status: "trusted" | "unknown" | "changed";
  /** Which of the files asked about are new or not as they were. */
  readonly untrusted: readonly string[];
}

export function trustedFile(root: string, path: string, content: Uint8Array): TrustedFile {
  const digest = digestOf(content);
  return { path: relative(root, path).split(sep).join("/"), digest };
}

export function openTrust({ state }: { readonly state: string }): Trust {
  const folder = join(state, "trust");
  const placeOf = (root: string) => join(folder, `${digestOf(realRoot(root))}.json`);

  function standing(root: string, files: readonly TrustedFile[]): Standing {
    const record = read(placeOf(root));
    const known = record?.root === realRoot(root) ? record : undefined;
    const digests = new Map(known?.files.map(({ path, digest }) => [path, digest]));
    const isKnown = ({ path, digest }: TrustedFile) => digest !== NEVER_TRUSTED && digests.get(path) === digest;
    const untrusted = files.filter((file) => !isKnown(file)).map(({ path }) => path);
    const wasTrusted = known !== undefined && known.files.length > 0;
    return { status: untrusted.length === 0 ? "trusted" : wasTrusted ? "changed" : "unknown", untrusted };
  }

  function keep(project: TrustedProject): void {
    makeFolder(folder, 0o700);
    const place = placeOf(project.root);
    const fresh = `${place}.${crypto.randomUUID()}`;
    writeFileSync(fresh, `${JSON.stringify(project)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, place);
  }

  return {
    isTrusted: (root, files) => standing(root, files).status === "trusted",
    standing,
    isDeclined: (root, files) => read(placeOf(root))?.declined === sumOf(files),
    decline: (root, files) =>
      keep({ root: realRoot(root), files: read(placeOf(root))?.files ?? [], declined: sumOf(files) }),
    trust: (root, files) => keep({ root: realRoot(root), files: files.map(({ path, digest }) => ({ path, digest })) }),
    untrust: (root) => {
      const place = placeOf(root);
      const wasTrusted = (read(place)?.files.length ?? 0) > 0;
      rmSync(place, { force: true });
      return wasTrusted;
    },
    list: () =>
      entriesOf(folder)
        .filter((name) => name.endsWith(".json"))
        .flatMap((name) => read(join(folder, name)) ?? [])
        .filter(({ files }) => files.length > 0)
        .sort((a, b) => (a.root < b.root ? -1 : 1)),
  };
}

const sumOf = (files: readonly TrustedFile[]): string =>
  digestOf(JSON.stringify(files.map(({ path, digest }) => [path, digest])));

/** A project that was moved away can still be named, to be forgotten. */
const realRoot = (root: string): string => attempt(() => realpathSync(root)) ?? root;

/** What cannot be read is not trusted. */
function read(place: string): TrustedProject | undefined {
  const value: unknown = attempt(() => JSON.parse(readFileSync(place, "utf8")));
  return isTrustedProject(value) ? value : undefined;
}

function isTrustedProject(value: unknown): value is TrustedProject {
  if (!isRecord(value) || typeof value.root !== "string" || !Array.isArray(value.files)) return false;
  return value.files.every(
    (file: unknown) => isRecord(file) && typeof file.path === "string" && typeof file.digest === "string",
  );
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The module is loaded when something is to be digested: a hook in a project without a config does not pay for it. */
const digestOf = (content: string | Uint8Array): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
