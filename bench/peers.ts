// Programs that do the same job, for comparison only: installed on demand into an ignored folder, never a dependency.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PEERS = { "p-queue": "9.3.5", "@google/gemini-cli-core": "0.61.0" } as const;
const ENTRY = `export { default as PQueue } from "p-queue";
export const loadPeer = () => import("@google/gemini-cli-core");
`;

/** A module that holds the peers, or undefined with the reason on the console. */
export function installPeers(): string | undefined {
  const folder = join(import.meta.dirname, "../.hosts/bench-peers");
  const entry = join(folder, "entry.js");
  if (existsSync(entry)) return entry;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  const packages = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", ...packages];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: 10 * 60_000 });
  if (status !== 0) {
    console.error(`skipped: the peers could not be installed (${lastLine(stderr)})`);
    return undefined;
  }
  writeFileSync(entry, ENTRY);
  return entry;
}

const lastLine = (text: string | null): string => text?.trim().split("\n").at(-1) ?? "npm is missing";
