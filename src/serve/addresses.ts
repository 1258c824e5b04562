import { hostname, networkInterfaces } from "node:os";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

export const isLoopback = (listen: string): boolean =>
  listen === "localhost" || listen === "::1" || /^127(\.\d{1,3}){3}$/.test(listen);

const isAny = (listen: string): boolean => listen === "0.0.0.0" || listen === "::";

/** Names under which this machine may be called when it listens there, as `Host` spells them. `names`: what you allowed besides. */
export function hostsFor(listen: string, port: number, names: readonly string[]): ReadonlySet<string> {
  const own = isAny(listen) ? [...addresses(), hostname(), `${hostname()}.local`] : [listen];
  const all = [...LOOPBACK, ...own.map(bracketed)].map((name) => name.toLowerCase());
  return new Set([
    ...all.map((name) => `${name}:${port}`),
    ...(port === 80 ? all : []),
    // A proxy in front of it has a port of its own, or none.
    ...names.map((name) => name.toLowerCase()),
  ]);
}

/** What to type into a browser, on another device where it can be reached from there. */
export function addressOf(listen: string, port: number, names: readonly string[]): string {
  const [name] = names;
  if (name !== undefined) return `https://${name}`;
  const shown = isAny(listen) ? (addresses()[0] ?? "127.0.0.1") : listen;
  return `http://${bracketed(shown)}:${port}`;
}

/** Where this machine itself reaches it. */
export const originHere = (listen: string, port: number): string =>
  `http://${bracketed(isAny(listen) ? "127.0.0.1" : listen)}:${port}`;

const addresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80"))
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);

const bracketed = (name: string): string => (name.includes(":") && !name.startsWith("[") ? `[${name}]` : name);
