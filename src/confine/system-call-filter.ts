/**
 * System calls that reach past the namespaces, as the program that bubblewrap hands to the kernel: keyrings belong to no namespace,
 * `vsock` leads out of a virtual machine past its network, and a program with the setuid bit would be left behind in the workspace.
 * Undefined for a processor without a table.
 */
export function systemCallFilter(processor: string): Uint8Array | undefined {
  const table = PROCESSORS[processor as keyof typeof PROCESSORS];
  if (table === undefined) return undefined;
  const { arch, numbers } = table;
  const program = [
    instruction(LOAD, OFFSET.arch),
    instruction(JUMP_EQUAL, arch, 1, 0),
    instruction(RETURN, refuse(ENOSYS)), // the calls of another processor have other numbers
    instruction(LOAD, OFFSET.number),
    ...(processor === "x64" ? [instruction(JUMP_ABOVE, X32, 0, 1), instruction(RETURN, refuse(ENOSYS))] : []),
    ...RULES.flatMap((rule) => {
      const number = (numbers as Readonly<Record<string, number>>)[rule.call];
      return number === undefined ? [] : refusal(rule, number);
    }),
    instruction(RETURN, ALLOW),
  ];
  return Buffer.concat(program);
}

interface Rule {
  readonly call: string;
  readonly errno: number;
  /** Only if all of these hold. */
  readonly when?: readonly Condition[];
}

/** An argument that is the value, or has one of its bits. */
type Condition = { readonly argument: number } & ({ readonly is: number } | { readonly has: number });

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const [TIOCSTI, TIOCLINUX, AF_VSOCK, S_ISUID] = [0x5412, 0x541c, 40, 0o4000];
const CREATES = 0o100 | 0o20000000; // O_CREAT, O_TMPFILE: without them the mode is whatever the register held
const setuid = (call: string, argument: number, ...when: Condition[]): Rule => ({
  call,
  errno: EPERM,
  when: [...when, { argument, has: S_ISUID }],
});

const RULES: readonly Rule[] = [
  ...["keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd", "open_by_handle_at", "syslog"].map(
    (call) => ({ call, errno: EPERM }),
  ),
  ...["kexec_load", "init_module", "finit_module"].map((call) => ({ call, errno: EPERM })),
  { call: "ioctl", errno: EPERM, when: [{ argument: 1, is: TIOCSTI }] },
  { call: "ioctl", errno: EPERM, when: [{ argument: 1, is: TIOCLINUX }] },
  { call: "socket", errno: EAFNOSUPPORT, when: [{ argument: 0, is: AF_VSOCK }] },
  setuid("chmod", 1),
  setuid("fchmod", 1),
  setuid("fchmodat", 2),
  setuid("fchmodat2", 2),
  setuid("creat", 1),
  setuid("open", 2, { argument: 1, has: CREATES }),
  setuid("openat", 3, { argument: 2, has: CREATES }),
  setuid("mknod", 1),
  setuid("mknodat", 2),
  // Their arguments stand in memory, where no filter can read them; programs fall back to the plain calls.
  { call: "openat2", errno: ENOSYS },
  { call: "io_uring_setup", errno: ENOSYS },
];

const COMMON = { fchmodat2: 452, openat2: 437, io_uring_setup: 425 };
const PROCESSORS = {
  x64: {
    arch: 0xc000003e,
    numbers: {
      ...COMMON,
      ...{ keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
      ...{ open_by_handle_at: 304, syslog: 103, kexec_load: 246, init_module: 175, finit_module: 313 },
      ...{ ioctl: 16, socket: 41, chmod: 90, fchmod: 91, fchmodat: 268, creat: 85, open: 2, openat: 257 },
      ...{ mknod: 133, mknodat: 259 },
    },
  },
  arm64: {
    arch: 0xc00000b7,
    numbers: {
      ...COMMON,
      ...{ keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
      ...{ open_by_handle_at: 265, syslog: 116, kexec_load: 104, init_module: 105, finit_module: 273 },
      ...{ ioctl: 29, socket: 198, fchmod: 52, fchmodat: 53, openat: 56, mknodat: 33 },
    },
  },
};

const [LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_BITS, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const OFFSET = { number: 0, arch: 4, argument: (index: number) => 16 + 8 * index }; // the lower half: both are little-endian
const X32 = 0x40000000;
const ALLOW = 0x7fff0000;
const refuse = (errno: number): number => 0x00050000 | errno;

function refusal({ errno, when = [] }: Rule, number: number): readonly Buffer[] {
  const tests = when.flatMap((condition, index) => {
    const over = 2 * (when.length - 1 - index) + 1; // past the other conditions and the refusal
    const test = "is" in condition ? [JUMP_EQUAL, condition.is] : [JUMP_BITS, condition.has];
    return [instruction(LOAD, OFFSET.argument(condition.argument)), instruction(test[0]!, test[1]!, 0, over)];
  });
  const body = [...tests, instruction(RETURN, refuse(errno)), instruction(LOAD, OFFSET.number)];
  return [instruction(JUMP_EQUAL, number, 0, body.length), ...body];
}

function instruction(code: number, value: number, yes = 0, no = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
