import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files of one folder, which need not be there. */
export interface Folder {
  names(): readonly string[];
  read(name: string): Buffer;
  write(name: string, bytes: Uint8Array): void;
  remove(): void;
}

export function openFolder(path: string): Folder {
  return {
    names: () => (existsSync(path) ? readdirSync(path) : []),
    read: (name) => readFileSync(join(path, name)),
    write: (name, bytes) => {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, name), bytes);
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Where tildone's own agent keeps the conversations of a project, named as pi does. */
export const sessionsFolder = (agentFolder: string, cwd: string): Folder =>
  openFolder(join(agentFolder, "sessions", `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`));
