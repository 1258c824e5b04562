import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, makeFolder } from "../../machine/index.ts";

/** Small files that only their owner can read, one per thing: two processes need no lock, and none reads half of one. */
export interface PrivateFolder {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
  /** False: it was not there. Of two who remove it, one is told true. */
  remove(name: string): boolean;
  names(): readonly string[];
}

export function privateFolder(path: string): PrivateFolder {
  makeFolder(path, 0o700);
  chmodSync(path, 0o700);
  const fileOf = (name: string): string => {
    if (!/^[a-f0-9]{8,64}$/.test(name)) throw new Error(`not a name: ${JSON.stringify(name)}`);
    return join(path, `${name}.json`);
  };
  return {
    read(name) {
      try {
        return JSON.parse(readFileSync(fileOf(name), "utf8"));
      } catch (error) {
        if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    write(name, value) {
      const file = fileOf(name);
      writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    remove(name) {
      try {
        unlinkSync(fileOf(name));
        return true;
      } catch (error) {
        if (errorCode(error) === "ENOENT") return false;
        throw error;
      }
    },
    names: () => {
      for (const left of readdirSync(path)) if (left.endsWith(".new")) rmSync(join(path, left), { force: true });
      return readdirSync(path).flatMap((file) => /^([a-f0-9]{8,64})\.json$/.exec(file)?.[1] ?? []);
    },
  };
}
