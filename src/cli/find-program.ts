import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Io } from "./io.ts";

/** Where the shell would find a program. */
export function findProgram(name: string, { env }: Pick<Io, "env">): string | undefined {
  const endings = process.platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD").split(";") : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
