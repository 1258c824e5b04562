// What agents and people do to files, drawn at random.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { filesOf, type World } from "./world.ts";

export interface Random {
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return { below, pick: (values) => values[below(values.length)]! };
}

export type Act = (world: World, random: Random, mark: string) => void;

/** Lines so far apart that no two edits touch each other. */
const EDITED = [1, 6, 10];

const editLine: Act = ({ root }, random, mark) => {
  const path = random.pick(plainFiles(root));
  const text = readFileSync(join(root, path), "latin1");
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(end);
  const at = random.pick(EDITED);
  if (lines.length < 12) return void writeFileSync(join(root, path), `${text}${mark}`, "latin1");
  lines[at] = mark;
  writeFileSync(join(root, path), lines.join(end), "latin1");
};

const create: Act = ({ root }, random, mark) => {
  const path = random.pick([
    "new.txt",
    "new/deep/er.txt",
    "src/made.ts",
    "build.txt",
    "-x",
    "a b",
    "ü.md",
    "gen-1.txt",
    "gen-2.txt",
  ]);
  put(root, path, random.pick([mark, `${mark}\r\n`, "", `\0\u0001${mark}\xff`]), random.pick([0o644, 0o644, 0o755]));
};

const remove: Act = ({ root }, random) => {
  const path = random.pick(allFiles(root));
  rmSync(join(root, path));
};

const removeFolder: Act = ({ root }, random) => {
  const folder = random.pick(["deep", "src", "new"]);
  if (existsSync(join(root, folder)) && folder !== "src") rmSync(join(root, folder), { recursive: true });
};

const rename: Act = ({ root }, random, mark) => {
  const path = random.pick(allFiles(root));
  const to = `${random.pick(["moved/", "", "src/"])}m${mark.length % 3}-${path.replaceAll("/", "_").slice(-20)}`;
  if (existsSync(join(root, to))) return;
  makeWay(root, to);
  renameSync(join(root, path), join(root, to));
};

const mode: Act = ({ root }, random) => {
  const path = random.pick(plainFiles(root));
  chmodSync(join(root, path), lstatSync(join(root, path)).mode & 0o100 ? 0o644 : 0o755);
};

const link: Act = ({ root, home }, random, mark) => {
  const path = random.pick([...allFiles(root), "link", "src/link"]);
  rmSync(join(root, path), { force: true });
  symlinkSync(random.pick(["a.txt", join(home, "outside"), `gone-${mark}`]), join(root, path));
};

const folderForFile: Act = ({ root }, random, mark) => {
  const path = random.pick(allFiles(root));
  rmSync(join(root, path));
  put(root, `${path}/inside`, mark, 0o644);
};

const linkForFolder: Act = ({ root, home }) => {
  if (!existsSync(join(root, "deep")) || lstatSync(join(root, "deep")).isSymbolicLink()) return;
  rmSync(join(root, "deep"), { recursive: true });
  mkdirSync(join(home, "elsewhere/er"), { recursive: true });
  writeFileSync(join(home, "elsewhere/er/file"), "not yours to touch");
  symlinkSync(join(home, "elsewhere"), join(root, "deep"));
};

const ignoredFile: Act = ({ root }, random, mark) =>
  put(root, random.pick(["own.log", "more.log", "build/out.js", "build/x"]), mark, 0o644);

const rules: Act = ({ root }, random) =>
  put(
    root,
    ".gitignore",
    random.pick(["*.log\nbuild/\n", "*.log\nbuild/\ngen-*.txt\n", "build/\n", "*.log\n", "*.log\nbuild/\nnew*\n"]),
    0o644,
  );

const add: Act = ({ git, kind, root }, random) => {
  if (kind === "no git") return;
  const path = random.pick([".", ...allFiles(root)]);
  try {
    git("add", "--", path);
  } catch {
    // ignored, or not there
  }
};

const unstage: Act = ({ git, kind, root }, random) => {
  if (kind === "no git") return;
  const path = random.pick(allFiles(root));
  try {
    git("rm", "-q", "--cached", "--", path);
  } catch {
    // not tracked
  }
};

const commit: Act = ({ git, kind }) => {
  if (kind === "no git" || kind === "no identity") return;
  git("commit", "-q", "-a", "--allow-empty", "-m", "by the agent");
};

const inModule: Act = ({ kind, root }, _random, mark) => {
  if (kind === "submodule") put(root, "module/inside.txt", mark, 0o644);
};

const WORK: readonly Act[] = [
  ...[editLine, editLine, editLine, create, create, remove, rename, mode, link, ignoredFile, add],
  ...[removeFolder, folderForFile, linkForFolder, rules, unstage, inModule],
];

export function work(world: World, random: Random, mark: string, mayCommit: boolean): void {
  for (let count = 1 + random.below(4); count > 0; count--) {
    try {
      random.pick(WORK)(world, random, `${mark}.${count}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error; // a folder stands where a file would have to be
    }
  }
  if (mayCommit && random.below(8) === 0) commit(world, random, mark);
}

/** You edit, create and stage; you do nothing that would make a mess of your own project. */
export function editAsYou(world: World, random: Random, mark: string): void {
  for (let count = random.below(3); count > 0; count--) {
    try {
      random.pick([editLine, editLine, create, mode, add, remove])(world, random, `${mark}.${count}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
}

export const allFiles = (root: string): readonly string[] =>
  [...filesOf(root).keys()].filter(
    (path) =>
      path !== ".gitignore" &&
      path !== ".gitattributes" &&
      path !== ".gitmodules" &&
      !path.startsWith("module/") &&
      !path.startsWith("build/") &&
      !path.endsWith(".log"),
  );
const plainFiles = (root: string): readonly string[] => {
  const plain = allFiles(root).filter((path) => lstatSync(join(root, path)).isFile());
  if (plain.length > 0) return plain;
  put(root, "last.txt", "last\n", 0o644);
  return ["last.txt"];
};

function makeWay(root: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
}

function put(root: string, path: string, content: string, bits: number): void {
  makeWay(root, path);
  rmSync(join(root, path), { force: true }); // never through a link
  writeFileSync(join(root, path), Buffer.from(content, "latin1"));
  chmodSync(join(root, path), bits);
}
