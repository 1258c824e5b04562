import { files, programs } from "./builtins.ts";

/** A process as the system shows it. */
export interface ProcessFact {
  readonly pid: number;
  readonly started: string;
  readonly parent: number;
  readonly group: number;
  /** 0: the system does not tell. */
  readonly session: number;
  readonly name: string;
  /** The terminal that it belongs to, if any. */
  readonly tty?: string;
}

const MOST = 64;

/**
 * A process and everything above it, itself first; empty where the system does not tell. Then whatever is above the leaders of its
 * group and its session: a process whose parent is gone still belongs to them.
 */
export function lineageOf(pid: number = process.pid): readonly ProcessFact[] {
  const look = process.platform === "linux" ? inProc : byPs();
  const lineage = above(pid, look);
  const [self] = lineage;
  if (self === undefined) return [];
  for (const leader of [self.group, self.session])
    for (const fact of above(leader, look)) if (!lineage.some((each) => each.pid === fact.pid)) lineage.push(fact);
  return lineage;
}

function above(pid: number, look: (pid: number) => ProcessFact | undefined): ProcessFact[] {
  const lineage: ProcessFact[] = [];
  for (let at = pid; at > 0 && lineage.length < MOST; at = lineage.at(-1)!.parent) {
    const fact = look(at);
    if (fact === undefined) break;
    lineage.push(fact);
  }
  return lineage;
}

function inProc(pid: number): ProcessFact | undefined {
  let stat: string;
  try {
    stat = files().readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // it is gone, or hidden from us
  }
  // The name of the program stands in brackets and may hold anything, brackets and spaces included.
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const [parent, group, session, terminal] = fields.slice(1, 5).map(Number) as [number, number, number, number];
  const tty = terminalName(terminal);
  return {
    pid,
    started: fields[19] ?? "",
    parent,
    group,
    session,
    name: stat.slice(stat.indexOf("(") + 1, end),
    tty,
  };
}

/** The number of a device: 136 to 143 are the pseudo terminals, 256 each. */
function terminalName(device: number): string | undefined {
  if (device === 0) return undefined;
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `tty${minor}` : `terminal ${major}:${minor}`;
}

/** One question for all of them: each costs a process. */
function byPs(): (pid: number) => ProcessFact | undefined {
  const facts = new Map<number, ProcessFact>();
  try {
    const rows = programs().execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,tty=,lstart=,comm="], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    for (const row of rows.split("\n")) {
      const [pid, parent, group, tty = "", ...rest] = row.trim().split(/\s+/);
      if (pid === undefined || rest.length < 6) continue;
      facts.set(Number(pid), {
        pid: Number(pid),
        started: rest.slice(0, 5).join(" "),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        name: rest.slice(5).join(" "),
        ...(!/^\?+$|^-$/.test(tty) && { tty }),
      });
    }
  } catch {
    // It is not told.
  }
  return (pid) => facts.get(pid);
}
