import { expect, test } from "vitest";
import { inBubblewrap } from "./bubblewrap.ts";
import type { Enclosure } from "./enclosure.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { systemCallFilter } from "./system-call-filter.ts";

const place = (path: string) => ({ from: path, at: path });
const enclosure = (given: Partial<Enclosure> = {}): Enclosure => ({
  writable: [place("/home/me/app")],
  readable: [place("/usr"), place("/home/me/.nvm")],
  kept: [place("/home/me/app/.git/hooks")],
  hidden: [],
  links: [{ at: "/bin", to: "usr/bin" }],
  home: "/home/me",
  temp: undefined,
  network: false,
  ...given,
});
const command = { file: "npm", args: ["test"], cwd: "/home/me/app/pkg", env: { PATH: "/usr/bin" }, timeoutMs: 5 };
const bwrap = { program: "/usr/bin/bwrap", filter: undefined };
/** Watches the same where the command runs. */
const INSIDE = "( (exec >/dev/null 2>&1; while read -r said <&3; do :; done; kill -9 0) & )";
/** Starts bubblewrap and watches whether we are still there. */
const STARTED =
  'trap "" HUP INT TERM; (exec >/dev/null 2>&1 4>&-; read -r gone <&3; kill -9 -$$) & trap - HUP INT TERM; exec "$@"';
const line = (given?: Partial<Enclosure>, env = {}) =>
  inBubblewrap({ ...command, env: { ...command.env, ...env } }, enclosure(given), bwrap).args.join(" ");

test("prints the whole argument list of a confined command", () => {
  expect(inBubblewrap(command, enclosure(), bwrap)).toEqual({
    file: "/bin/sh",
    args: [
      "-c",
      STARTED,
      "sh",
      "/usr/bin/bwrap",
      ..."--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try".split(" "),
      ..."--die-with-parent --new-session --cap-drop ALL --unshare-net".split(" "),
      ..."--symlink usr/bin /bin --proc /proc --dev /dev".split(" "),
      ..."--tmpfs /run --tmpfs /tmp --ro-bind /usr /usr".split(" "),
      ..."--tmpfs /var/tmp --tmpfs /home/me".split(" "),
      ..."--ro-bind /home/me/.nvm /home/me/.nvm --bind /home/me/app /home/me/app".split(" "),
      ..."--ro-bind /home/me/app/.git/hooks /home/me/app/.git/hooks".split(" "),
      ..."--remount-ro /proc --remount-ro /".split(" "),
      ..."--chdir /home/me/app/pkg -- /bin/sh -c".split(" "),
      `echo >&3 || exit 125; ${INSIDE}; exec "$0" "$@" 3>&-`,
      "npm",
      "test",
    ],
    lifeline: true,
    cwd: "/home/me/app/pkg",
    env: { PATH: "/usr/bin", TMPDIR: "/tmp" },
    timeoutMs: 5,
  });
});

test("lets the shell that asks read a line for a shell", () => {
  const { args } = inBubblewrap({ ...command, file: "/bin/sh", args: ["-c", "a | b"] }, enclosure(), bwrap);
  const words = ["/bin/sh", "-c", `echo >&3 || exit 125; ${INSIDE}; exec 3>&-; eval "shift; $1"`, "/bin/sh", "a | b"];
  expect(args.slice(args.indexOf("--") + 1)).toEqual(words);
});

test("opens the filter for system calls in front of bubblewrap", () => {
  const { file, args } = inBubblewrap(command, enclosure(), { ...bwrap, filter: "/state/f" });
  expect([file, ...args.slice(0, 4)]).toEqual(["/bin/sh", "-c", `${STARTED} 9<"$0"`, "/state/f", "/usr/bin/bwrap"]);
  expect(args.join(" ")).toContain("--seccomp 9");
});

test.each([
  ["a network, where it is allowed", { network: true }, /^(?!.*--unshare-net)/],
  [
    "a room at the workspace's own path",
    { writable: [{ from: "/rooms/1", at: "/home/me/app" }] },
    /--bind \/rooms\/1 \/home\/me\/app /,
  ],
  ["a folder of its own as /tmp", { temp: "/state/t" }, /--bind \/state\/t \/tmp /],
  [
    "tildone's folder hidden in the workspace",
    { hidden: [{ path: "/home/me/app/.t", kind: "folder" as const }] },
    /app\/\.t --remount-ro \/home\/me\/app\/\.t/,
  ],
  ["a hidden file", { hidden: [{ path: "/usr/k", kind: "file" as const }] }, /--ro-bind \/dev\/null \/usr\/k/],
  ["nothing over what is not seen anyway", { hidden: [{ path: "/srv/k", kind: "file" as const }] }, /^(?!.*\/srv\/k)/],
])("gives %s", (_what, given, expected) => expect(line(given)).toMatch(expected));

test("stands in the room at the workspace's path", () => {
  const given = enclosure({ writable: [{ from: "/rooms/1", at: "/home/me/app" }] });
  expect(inBubblewrap({ ...command, cwd: "/rooms/1/pkg" }, given, bwrap).args.join(" ")).toContain(
    "--chdir /home/me/app/pkg",
  );
});

test("mounts every folder before what stands in it", () => {
  const { args } = inBubblewrap(
    command,
    enclosure({ readable: [place("/home/me/a/b/c"), place("/home/me/a"), place("/usr")] }),
    bwrap,
  );
  const at = args.flatMap((word, index) =>
    /^--(ro-)?bind$/.test(word) ? [args[index + 2]!] : word === "--tmpfs" ? [args[index + 1]!] : [],
  );
  for (const [index, path] of at.entries())
    expect(at.slice(index + 1).filter((later) => path.startsWith(`${later}/`))).toEqual([]);
});

test.each(["LD_PRELOAD", "LD_LIBRARY_PATH", "GCONV_PATH", "GLIBC_TUNABLES", "BASH_ENV", "SHELLOPTS"])(
  "never lets %s change bubblewrap itself",
  (name) => {
    const { args, env } = inBubblewrap({ ...command, env: { [name]: "./evil.so" } }, enclosure(), bwrap);
    expect(env).toEqual({ TMPDIR: "/tmp" });
    expect(args.join(" ")).toContain(`--setenv ${name} ./evil.so`);
  },
);

test("keeps the values of other variables out of the argument list", () => {
  expect(line({}, { TOKEN: "s3cret" })).not.toContain("s3cret");
});

test("writes a filter for the processors it has numbers for", () => {
  expect(systemCallFilter("x64")!.length % 8).toBe(0);
  expect(systemCallFilter("arm64")!.length % 8).toBe(0);
  expect(systemCallFilter("mips")).toBeUndefined();
});

test("says the same in a profile for sandbox-exec", () => {
  const profile = seatbeltProfile(enclosure({ hidden: [{ path: "/home/me/app/.t", kind: "folder" }], temp: '/t"x' }));
  expect(profile).toContain("(deny default)");
  expect(profile).toContain('(allow file-write* (subpath "/home/me/app") (subpath "/t\\"x")');
  expect(profile).toContain('(deny file-write* (subpath "/home/me/app/.git/hooks"))');
  expect(profile).toContain('(deny file-read* file-write* (subpath "/home/me/app/.t"))');
  expect(profile).toContain("(deny network-outbound)");
});
