import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where the shell would find a program. */
export function findProgram(
  name: string,
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
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
