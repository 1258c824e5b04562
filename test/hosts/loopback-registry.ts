import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";

/** An npm registry on loopback that holds this package as it would be published, and its dependencies as they are installed. */
export interface Registry {
  readonly url: string;
  /** Names that were asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** What is optional is not there: the registry says so, as for a platform that a package does not support. */
export async function startRegistry(scratch: string): Promise<Registry> {
  mkdirSync(scratch, { recursive: true });
  const asked: string[] = [];
  const tarballs = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").slice(1));
    const body = path.endsWith(".tgz") ? tarballs.get(path) : packument(path);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": typesOf(path) });
    response.end(body ?? '{"error":"not found"}');
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    asked,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };

  function packument(name: string): string | undefined {
    asked.push(name);
    const folder = folderOf(name);
    if (folder === undefined) return undefined;
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    const { version } = manifest;
    const file = `${name}/-/${version}.tgz`;
    const tarball = tarballs.get(file) ?? (name === OWN.name ? pack() : archive(folder));
    tarballs.set(file, tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `${url}/${file}`, integrity };
    return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } });
  }

  /** What would be published. */
  function pack(): Buffer {
    const args = ["pack", resolve("."), "--ignore-scripts", "--silent", "--pack-destination", scratch];
    const file = execFileSync("npm", args, { encoding: "utf8", cwd: scratch }).trim().split("\n").at(-1)!;
    return readFileSync(join(scratch, file));
  }

  function archive(folder: string): Buffer {
    const names = ["--exclude=./node_modules", "--transform=s,^\\.,package,", "."];
    return execFileSync("tar", ["-cz", "-C", folder, ...names], { maxBuffer: 64 * 1024 * 1024 });
  }
}

const OWN = JSON.parse(readFileSync("package.json", "utf8")) as { name: string; optionalDependencies: object };

function folderOf(name: string): string | undefined {
  if (name === OWN.name) return resolve(".");
  if (Object.hasOwn(OWN.optionalDependencies, name)) return undefined;
  const folder = resolve("node_modules", name);
  try {
    readFileSync(join(folder, "package.json"));
    return folder;
  } catch {
    return undefined;
  }
}

const typesOf = (path: string): string => (path.endsWith(".tgz") ? "application/octet-stream" : "application/json");
