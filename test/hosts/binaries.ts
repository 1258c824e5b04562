import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HostName } from "../../src/config/index.ts";
import { PROFILES } from "../../src/hosts/index.ts";

export type BinaryName = Exclude<HostName, "pi">;

/** Hosts at the versions whose contracts were verified; a newer one is tried by changing its number in its profile. pi is a dependency. */
export const BINARIES = Object.fromEntries(
  Object.values(PROFILES).flatMap(({ name, comesWith, verified, program }): [BinaryName, Release][] =>
    name === "pi" ? [] : [[name, { package: comesWith, version: verified, start: `node_modules/.bin/${program}` }]],
  ),
) as Readonly<Record<BinaryName, Release>>;

export type Binary = { readonly path: string } | { readonly skipped: string };

/** The binary of a host, installed once into an ignored folder. Where there is no registry the answer says why there is none. */
export const binaryOf = (name: BinaryName): Binary => installed(name, BINARIES[name]);

/** Where a supervisor finds the program by its usual name. */
export const programsOf = (name: BinaryName): string =>
  resolve(".hosts", `${name}-${BINARIES[name].version}`, "node_modules/.bin");

export interface Release {
  readonly package: string;
  readonly version: string;
  /** The file that is started, in the folder it is installed to. */
  readonly start: string;
  /** For npm. */
  readonly flags?: readonly string[];
}

export function installed(name: string, { package: from, version, start, flags = [] }: Release): Binary {
  const folder = resolve(".hosts", `${name}-${version}`);
  const path = join(folder, start);
  const failure = join(folder, "failed");
  if (existsSync(path)) return { path };
  if (existsSync(failure)) return { skipped: readFileSync(failure, "utf8") };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel=error", ...flags, `${from}@${version}`],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: 300_000,
    },
  );
  if (status === 0 && existsSync(path)) return { path };
  return { skipped: `npm could not install ${from}@${version}: ${(stderr ?? "").trim().split("\n")[0]}` };
}
