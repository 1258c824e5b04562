import { basename, dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";

/** Ways to write one absolute path that pi's tools, or the file system behind them, take for the same file. */
export function* spellings(path: string, { cwd, home, links }: Around): Generator<string> {
  for (const way of waysTo(path, { cwd, home, links }))
    for (const once of dresses(way))
      for (const dressed of dresses(once)) {
        yield dressed;
        yield `@${dressed}`;
        for (const space of SPACES) if (dressed.includes(" ")) yield dressed.replaceAll(" ", space);
      }
}

interface Around {
  readonly cwd: string;
  readonly home: string;
  /** Folders that lead elsewhere: [link, target]. */
  readonly links: readonly (readonly [string, string])[];
}

const SPACES = ["\u00A0", "\u2003", "\u202F", "\u205F", "\u3000"];

function* waysTo(path: string, { cwd, home, links }: Around): Generator<string> {
  yield path;
  yield relative(cwd, path);
  yield `no/such/folder/../../../${relative(cwd, path)}`;
  if (path.startsWith(`${home}/`)) yield `~/${relative(home, path)}`;
  yield pathToFileURL(path).href;
  yield `file://${path}`;
  yield `file://localhost${path}`;
  yield pathToFileURL(path).href.replaceAll(/[a-z]/g, (letter, at) =>
    at > 7 && at % 3 === 0 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
  for (const [link, target] of links) {
    if (path !== target && !path.startsWith(`${target}/`)) continue;
    const through = path === target ? link : `${link}/${relative(target, path)}`;
    yield through;
    yield relative(cwd, through);
    yield `file://${through}`;
    if (through.startsWith(`${home}/`)) yield `~/${relative(home, through)}`;
  }
  yield `/proc/self/cwd/${relative(process.cwd(), path)}`;
  yield `/proc/self/root${path}`;
}

function* dresses(path: string): Generator<string> {
  yield path;
  const [folder, name] = [dirname(path), basename(path)];
  for (const joint of ["//", "/./", "/x/../", "/././/", `/${name}/../`]) yield `${folder}${joint}${name}`;
  if (!path.includes("://")) {
    yield path.replaceAll("/", "//");
    yield path.replaceAll("/", "/./");
    if (!path.startsWith("/") && !path.startsWith("~")) yield `./${path}`;
  }
}
