/** A user's home and a project beside it, on a real disk, for what reads config. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Home {
  readonly place: string;
  readonly home: string;
  /** The project's root, with a `.git` in it. */
  readonly cwd: string;
  write(path: string, content: string): void;
  remove(): void;
}

export const USER_FILE = "home/.config/tildone/config.yaml";
export const PROJECT_FILE = "project/.tildone/config.yaml";

export function makeHome(files: Readonly<Record<string, string>> = {}): Home {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "tildone-home-")));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  };
  write("project/.git/HEAD", "ref: refs/heads/main\n");
  mkdirSync(join(place, "home"));
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    place,
    home: join(place, "home"),
    cwd: join(place, "project"),
    write,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
