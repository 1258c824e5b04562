import { LIFELINE } from "../machine/index.ts";
import { type Enclosure, isWithin, type Launch, seenAt } from "./enclosure.ts";

/** What stands ready on this machine: the program, and the filter for system calls where there is one for its processor. */
export interface Bubblewrap {
  readonly program: string;
  readonly filter: string | undefined;
}

/**
 * The same command inside bubblewrap. The values of variables stay out of the argument list, which every user of the machine
 * can read; only those that would change bubblewrap itself are set by it, inside.
 */
export function inBubblewrap<C extends Launch>(command: C, enclosure: Enclosure, ready: Bubblewrap): C {
  const [env, inner] = apart({ ...command.env, TMPDIR: "/tmp" });
  const args = [
    ...NAMESPACES,
    ...(enclosure.network ? [] : ["--unshare-net"]),
    ...(ready.filter === undefined ? [] : ["--seccomp", FILTER_FD]),
    ...fileSystem(enclosure),
    ...Object.entries(inner).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    seenAt(command.cwd, enclosure.writable),
    "--",
    ...tied(command),
  ];
  const open = ready.filter === undefined ? "" : ` ${FILTER_FD}<"$0"`;
  const line = `${WATCH}; exec "$@"${open}`;
  return {
    ...command,
    env,
    lifeline: true,
    file: "/bin/sh",
    args: ["-c", line, ready.filter ?? "sh", ready.program, ...args],
  };
}

/**
 * bubblewrap starts a second process and only later ties it to the first. If the first one is killed in between, the second waits for it
 * without end, deaf to everything but a kill. So a shell outside reads the lifeline, and kills the whole group when we let go of it. What
 * asks the group to end must not end that shell first.
 */
const WATCH = `trap "" HUP INT TERM; (exec >/dev/null 2>&1 4>&-; read -r gone <&${LIFELINE}; kill -9 -$$) & trap - HUP INT TERM`;

/**
 * By now bubblewrap has tied this process to its parent. If that one was gone before, no process holds the other end. A line for a shell
 * is read by the shell that asks: every further program takes time.
 */
function tied({ file, args }: Launch): readonly string[] {
  const [option, line, ...more] = args;
  if (file === "/bin/sh" && option === "-c" && line !== undefined && more.length === 0)
    return [file, option, `${ASK}; ${WATCH_INSIDE}; exec ${LIFELINE}>&-; eval "shift; $1"`, file, line];
  return ["/bin/sh", "-c", `${ASK}; ${WATCH_INSIDE}; exec "$0" "$@" ${LIFELINE}>&-`, file, ...args];
}

const ASK = `echo >&${LIFELINE} || exit 125`;

/**
 * If the first process of bubblewrap was killed just before the second tied itself to it, nothing ends the command with us, and it has left
 * the group. So one more shell reads the lifeline, inside, and kills its own group, which is bubblewrap's session: the command and all that
 * did not start a session of its own. Never "all that it sees": without a namespace of its own that is the whole machine. It is no child of
 * the command, because a `wait` in there must not wait for it.
 */
const WATCH_INSIDE = `( (exec >/dev/null 2>&1; while read -r said <&${LIFELINE}; do :; done; kill -9 0) & )`;

const NAMESPACES = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--die-with-parent",
  "--new-session",
  "--cap-drop", // for root bubblewrap keeps them unless it is told
  "ALL",
];

/** bubblewrap reads its filter from an open file, and only a shell can open one by an argument list. */
const FILTER_FD = "9";

interface Mount {
  readonly at: string;
  readonly args: readonly string[];
}

function fileSystem({ writable, readable, kept, hidden, links, home, temp }: Enclosure): readonly string[] {
  const bound = [...readable, ...writable];
  const isSeen = (path: string) => bound.some(({ at }) => isWithin(path, at));
  const mounts: readonly Mount[] = [
    ...EMPTY.map((at) => ({ at, args: ["--tmpfs", at] })),
    { at: "/tmp", args: temp === undefined ? ["--tmpfs", "/tmp"] : ["--bind", temp, "/tmp"] },
    ...(home === undefined ? [] : [{ at: home, args: ["--tmpfs", home] }]),
    ...readable.map(({ from, at }) => ({ at, args: ["--ro-bind", from, at] })),
    ...writable.map(({ from, at }) => ({ at, args: ["--bind", from, at] })),
    ...kept.map(({ from, at }) => ({ at, args: ["--ro-bind", from, at] })),
    ...hidden.filter(({ path }) => isSeen(path)).map(({ path, kind }) => ({ at: path, args: mask(path, kind) })),
  ];
  return [
    ...links.flatMap(({ at, to }) => ["--symlink", to, at]),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...[...mounts].sort((a, b) => depth(a.at) - depth(b.at)).flatMap(({ args }) => args), // stable: a parent first
    "--remount-ro", // for root the kernel's switches in /proc/sys can be written without any capability
    "/proc",
    "--remount-ro", // what is written to no place that lasts should fail and not seem to succeed
    "/",
  ];
}

const EMPTY = ["/run", "/var/tmp"];
const mask = (path: string, kind: "folder" | "file"): readonly string[] =>
  kind === "folder" ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
const depth = (path: string): number => path.split("/").filter((step) => step !== "").length;

/** Variables for bubblewrap and all it starts, and those that it sets only inside: they make a program load other code. */
function apart(env: Launch["env"]): readonly [Launch["env"], Record<string, string>] {
  const inner: Record<string, string> = {};
  const outer: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined) (CHANGES_PROGRAMS.test(name) ? inner : outer)[name] = value;
  return [outer, inner];
}

const CHANGES_PROGRAMS =
  /^(LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|BASH_ENV$|ENV$|SHELLOPTS$|BASHOPTS$|BASH_FUNC_)/;
