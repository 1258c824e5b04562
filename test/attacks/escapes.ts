import type { EscapeWorld } from "./escape-world.ts";

/** One way out that a confined command may try. Each is harmless where it succeeds: it reads a token, or changes a file of the world. */
export interface Escape {
  readonly name: string;
  /** A line for /bin/sh. It has escaped if it prints the world's token, prints ESCAPED, or `happened` afterwards. */
  readonly line: string;
  readonly happened?: () => boolean;
  /** Whether it works without any confinement, for the same user: then the row shows that it would have been noticed. */
  readonly control: boolean;
}

/** Every target by every way. */
export function escapes(world: EscapeWorld): readonly Escape[] {
  return [...reads(world), ...writes(world), ...sockets(world), ...processes(world), ...kernel(world)];
}

type Way = readonly [how: string, line: (path: string) => string, control: boolean];

function reads(world: EscapeWorld): readonly Escape[] {
  const { up, victim } = world;
  const ways: readonly Way[] = [
    ["by its path", (path) => `cat '${path}'`, true],
    ["by ..", (path) => `cat '${up}${path}'`, true],
    ["by a link made inside", (path) => `ln -sf '${path}' l && cat l`, true],
    ["by a link that was there", (path) => `cat 'laid/${world.laid(path)}'`, true],
    ["by a hard link", (path) => `rm -f h; ln '${path}' h && cat h`, true],
    ["by /proc/self/root", (path) => `cat '/proc/self/root${path}'`, true],
    ["by the root of the first process", (path) => `cat '/proc/1/root${path}'`, false],
    ["by the root of a process outside", (path) => `cat '/proc/${victim.pid}/root${path}'`, true],
    [
      "by a mount namespace of its own",
      (path) => `unshare -Urm sh -c 'umount -l "${world.home}" /tmp; cat "${path}"'`,
      false,
    ],
    [
      "by searching for it",
      (path) => `find / -xdev -name '${path.split("/").at(-1)}' -exec cat {} + 2>/dev/null`,
      false,
    ],
  ];
  return Object.entries(world.secrets).flatMap(([what, path]) =>
    ways.map(([how, line, control]): Escape => ({ name: `reads ${what} ${how}`, line: line(path), control })),
  );
}

function writes(world: EscapeWorld): readonly Escape[] {
  const ways: readonly Way[] = [
    ["by its path", (path) => `echo evil >> '${path}'`, true],
    ["by ..", (path) => `echo evil >> '${world.up}${path}'`, true],
    ["by a link", (path) => `ln -sf '${path}' w && echo evil >> w`, true],
    ["by a hard link", (path) => `rm -f h; ln '${path}' h && echo evil >> h`, true],
    ["by moving another one over it", (path) => `echo evil > m && mv -f m '${path}'`, true],
    ["by removing it", (path) => `rm -f '${path}'`, true],
    ["by its mode", (path) => `chmod 777 '${path}'`, true],
    ["by /proc", (path) => `echo evil >> '/proc/self/root${path}'`, true],
    [
      "by mounting it writable",
      (path) => `unshare -Urm sh -c 'mount -o remount,rw,bind "${path}"; echo evil >> "${path}"'`,
      false,
    ],
    ["by truncating it", (path) => `truncate -s 0 '${path}'`, true],
  ];
  return Object.entries(world.targets).flatMap(([what, path]) =>
    ways.map(([how, line, control]): Escape => {
      const before = world.stateOf(path);
      return {
        name: `changes ${what} ${how}`,
        line: line(path),
        happened: () => world.stateOf(path) !== before,
        control,
      };
    }),
  );
}

/** The servers stand outside and answer with the token. */
function sockets({ sockets: { tcp, tcp6, host6, udp, path, abstract, inHome } }: EscapeWorld): readonly Escape[] {
  const perl = (open: string) =>
    `perl -MIO::Socket::IP -MIO::Socket::UNIX -e 'my $s = ${open} or die "$!\\n"; alarm 5; print <$s>'`;
  const at = (value: string) => `IO::Socket::UNIX->new(Peer => ${value})`;
  return [
    ["reaches a server on loopback", perl(`IO::Socket::INET->new("127.0.0.1:${tcp}")`)],
    ["reaches a server by the address of any interface", perl(`IO::Socket::INET->new("0.0.0.0:${tcp}")`)],
    ["reaches a server on loopback by IPv6", perl(`IO::Socket::IP->new(PeerHost => "${host6}", PeerPort => ${tcp6})`)],
    [
      "reaches a server by UDP",
      `perl -MIO::Socket -e 'my $s = IO::Socket::INET->new(PeerAddr=>"127.0.0.1:${udp}",Proto=>"udp"); $s->send("x"); alarm 2; $s->recv(my $b, 99); print $b'`,
    ],
    ["reaches a socket in a shared folder", perl(at(`"${path}"`))],
    ["reaches a socket in the home folder", perl(at(`"${inHome}"`))],
    ["reaches an abstract socket", perl(at(`"\\0${abstract}"`))],
  ].map(([name, line]) => ({ name: name!, line: line!, control: true }));
}

function processes({ victim, token, shm }: EscapeWorld): readonly Escape[] {
  const { pid } = victim;
  const rows: readonly (readonly [string, string, boolean])[] = [
    ["reads the variables of a process outside", `tr '\\0' '\\n' < /proc/${pid}/environ`, true],
    ["reads the variables of all processes", "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'", true],
    ["reads the command line of a process outside", `tr '\\0' '\\n' < /proc/${pid}/cmdline`, true],
    ["reads a file that a process outside has open", `cat /proc/${pid}/fd/7`, true],
    ["reads the folder of a process outside", `cat /proc/${pid}/cwd/token`, true],
    [
      "reads the memory of a process outside",
      `perl -e 'open(my $m,"<","/proc/${pid}/mem") and print "ESCAPED\\n"'`,
      true,
    ],
    [
      "traces a process outside",
      `perl -e 'print "ESCAPED\\n" if syscall(101, 16, ${pid}, 0, 0) == 0; syscall(101, 17, ${pid}, 0, 0)'`,
      process.arch === "x64",
    ],
    ["signals a process outside", `kill -0 ${pid} && echo ESCAPED`, true],
    ["signals the group of a process outside", `perl -e 'print "ESCAPED\\n" if kill 0, -${pid}'`, true],
    ["enters the namespaces of a process outside", `nsenter -t ${pid} -m -- cat ${victim.file}`, false],
    [
      "finds a process outside by its words",
      `grep -la '${token}' /proc/[0-9]*/cmdline | grep -v "/$$/" | grep '/${pid}/' && echo ESCAPED`,
      true,
    ],
    ["reads shared memory of a process outside", `perl -e 'my $b = ""; shmread(${shm}, $b, 0, 64) and print $b'`, true],
  ];
  return rows.map(([name, line, control]) => ({ name, line, control }));
}

/** Searched in the session's keyring, where the process that starts the command put it. */
const READ_KEY = `perl -e 'my ($t, $n) = ("user", "tildone-escape"); my $k = syscall(250, 10, -3, $t, $n, 0); my $b = "-" x 64; print $b if syscall(250, 11, $k, $b, 64) > 0'`;

function kernel({ isRoot, mountPoint }: EscapeWorld): readonly Escape[] {
  // Opened and never written: what can be opened is an escape already, and the machine stays as it is.
  const opens = (path: string, mode: string) => `perl -e 'open(my $f,"${mode}","${path}") and print "ESCAPED\\n"'`;
  const rows: readonly (readonly [string, string, boolean])[] = [
    ...["kernel/core_pattern", "kernel/modprobe", "vm/drop_caches", "kernel/hotplug"].map(
      (name) => [`sets ${name} of the kernel`, opens(`/proc/sys/${name}`, ">>"), false] as const,
    ),
    [
      "sets core_pattern of the kernel with another /proc",
      `unshare -Urpf --mount-proc ${opens("/proc/sys/kernel/core_pattern", ">>")}`,
      false,
    ],
    ["writes to /proc/sysrq-trigger", opens("/proc/sysrq-trigger", ">>"), false],
    ["reads the kernel's messages", opens("/dev/kmsg", "<"), false],
    ["reads the machine's memory", opens("/dev/mem", "<"), false],
    ["reads a disk", `for d in /dev/vda /dev/sda /dev/nvme0n1; do ${opens("'$d'", "<")}; done`, false],
    ["makes a device", "mknod d b 254 0 && echo ESCAPED", false],
    ["writes to /sys", "find /sys -writable -type f 2>/dev/null | head -1 | grep -q . && echo ESCAPED", isRoot],
    ["writes to a cgroup", "mkdir /sys/fs/cgroup/x 2>/dev/null && rmdir /sys/fs/cgroup/x && echo ESCAPED", false],
    ["mounts over its folder", "mount -t tmpfs none . && umount . && echo ESCAPED", false],
    ["mounts the root elsewhere", `mkdir -p r && mount --bind / r && umount r && echo ESCAPED`, false],
    ["takes a mount away", `umount '${mountPoint}' && echo ESCAPED`, false],
    ["makes the programs writable", "mount -o remount,rw,bind /usr && echo ESCAPED", false],
    ["changes a program", "(: >> /usr/bin/env) 2>/dev/null && echo ESCAPED", isRoot],
    ["changes its root", "chroot / true && echo ESCAPED", isRoot],
    ["sets the name of the machine", 'hostname "$(hostname)" && echo ESCAPED', isRoot],
    ["reads the passwords of the machine", "grep -q '^root:' /etc/shadow && echo ESCAPED", isRoot],
    [
      "reads a key of the machine",
      "cat /etc/ssh/ssh_host_*_key /etc/ssl/private/* 2>/dev/null | grep -q . && echo ESCAPED",
      false,
    ],
    ["becomes root by su", "[ $(id -u) != 0 ] && su -c 'echo ESCAPED' < /dev/null", false],
    ["keeps a capability", "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo ESCAPED", isRoot],
    ["gains a privilege by a program's mode", "grep -q 'NoNewPrivs:.0' /proc/self/status && echo ESCAPED", true],
    ["leaves a program with the setuid bit", "cp /bin/true s && chmod u+s s; [ -u s ] && echo ESCAPED; rm -f s", true],
    [
      "makes a file with the setuid bit",
      `perl -e 'sysopen(F,"s2",0101,04755) and -u "s2" and print "ESCAPED\\n"'; rm -f s2`,
      true,
    ],
    ["reads a key of the session's keyring", READ_KEY, process.arch === "x64"],
    [
      "joins the keyring of the session",
      `perl -e 'print "ESCAPED\\n" if syscall(250, 0, -3, 0) > 0'`,
      process.arch === "x64",
    ],
    [
      "opens a socket out of the virtual machine",
      "perl -MSocket -e 'socket(S, 40, SOCK_STREAM, 0) and print \"ESCAPED\\n\"'",
      false,
    ],
    [
      "looks into the kernel by perf",
      `perl -e 'my $b = pack("LLQ", 1, 112, 0) . "\\0" x 112; print "ESCAPED\\n" if syscall(298, $b, 0, -1, -1, 0) >= 0'`,
      false,
    ],
    [
      "loads a program into the kernel",
      `perl -e 'my $b = pack("LLLL", 1, 4, 4, 1) . "\\0" x 112; print "ESCAPED\\n" if syscall(321, 0, $b, 128) >= 0'`,
      false,
    ],
    [
      "types into the terminal",
      `perl -e 'open(T,"+<","/dev/tty") and ioctl(T, 0x5412, "x") and print "ESCAPED\\n"'`,
      false,
    ],
  ];
  return rows.map(([name, line, control]) => ({ name, line, control }));
}
