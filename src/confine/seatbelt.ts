import { type Enclosure, isWithin, type Launch } from "./enclosure.ts";

/**
 * The same command under macOS's `sandbox-exec`. It hides nothing behind another path: a room is seen where it stands, and `/tmp`
 * is the machine's unless the enclosure has a folder for it. Written from its documentation; not tried on a Mac.
 */
export function inSeatbelt<C extends Launch>(command: C, enclosure: Enclosure): C {
  const temp = enclosure.temp ?? "/private/tmp";
  return {
    ...command,
    file: "/usr/bin/sandbox-exec",
    args: ["-p", seatbeltProfile(enclosure), command.file, ...command.args],
    env: { ...command.env, TMPDIR: temp },
  };
}

export function seatbeltProfile({ writable, readable, kept, hidden, temp, network }: Enclosure): string {
  const seen = [...readable, ...writable].map(({ from }) => from);
  const writes = [...writable.map(({ from }) => from), temp ?? "/private/tmp"];
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-fork)",
    "(allow process-exec)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    allow("file-read*", [...SYSTEM, ...seen, ...writes]),
    allow("file-write*", [...writes, "/dev/null", "/dev/zero", "/dev/dtracehelper", "/dev/tty"]),
    ...kept.map(({ from }) => `(deny file-write* (subpath ${quoted(from)}))`),
    ...hidden
      .filter(({ path }) => seen.some((each) => isWithin(path, each)))
      .map(({ path }) => `(deny file-read* file-write* (subpath ${quoted(path)}))`),
    network ? "(allow network*)" : '(allow network* (local ip "localhost:*"))\n(deny network-outbound)',
    ...(network ? ['(allow mach-lookup (global-name "com.apple.dnssd.service"))'] : []),
  ].join("\n");
}

const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library/Developer",
  "/Library/Frameworks",
  "/private/etc",
  "/private/var/db",
  "/dev",
  "/opt",
];

const allow = (what: string, paths: readonly string[]): string =>
  `(allow ${what} ${[...new Set(paths)].map((path) => `(subpath ${quoted(path)})`).join(" ")})`;

const quoted = (path: string): string => `"${path.replace(/["\\]/g, "\\$&")}"`;
