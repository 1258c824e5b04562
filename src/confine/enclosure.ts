/** A folder or file of this machine, and where a confined command sees it. */
export interface Place {
  readonly from: string;
  readonly at: string;
}

/**
 * What a confined command sees. Nothing else of the machine's files is there: this is the whole list, and what is not on it
 * does not have to be known to be hidden.
 */
export interface Enclosure {
  readonly writable: readonly Place[];
  readonly readable: readonly Place[];
  /** Inside what is writable, and still not to be changed: what runs outside later, such as git hooks. */
  readonly kept: readonly Place[];
  /** Inside what can be seen, and still not to be seen. */
  readonly hidden: readonly Hidden[];
  /** `/bin`, where it is a link to `usr/bin`. */
  readonly links: readonly { readonly at: string; readonly to: string }[];
  /** Empty, writable and gone with the command; what is readable in it is there. */
  readonly home: string | undefined;
  /** The folder that is seen as `/tmp`. Without one it is in memory and gone with the command. */
  readonly temp: string | undefined;
  readonly network: boolean;
}

export interface Hidden {
  readonly path: string;
  readonly kind: "folder" | "file";
}

/** The command as it would be started without confinement. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It must be started with a pipe as file 3 and held by `holdLifeline`; otherwise it ends with status 125 at once. */
  readonly lifeline?: boolean;
}

/** Where a path of the machine is seen inside. */
export function seenAt(path: string, places: readonly Place[]): string {
  const place = places
    .filter(({ from }) => isWithin(path, from))
    .sort((a, b) => b.from.length - a.from.length)
    .at(0);
  if (place === undefined) return path;
  return place.at + path.slice(place.from.length);
}

/** `path` is `folder` or stands below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
