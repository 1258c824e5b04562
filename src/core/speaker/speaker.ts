/** A process on the way from the one that speaks up to the first of the machine. */
export interface ProcessFact {
  readonly pid: number;
  /** Tells it from a later process with the same number. */
  readonly started: string;
  readonly parent: number;
  readonly group: number;
  /** 0: the system does not tell. */
  readonly session: number;
  readonly name: string;
  readonly tty?: string;
}

/** A shell that was started for a call, for a check, or for a command that you typed in the host. */
export interface RecordedShell {
  readonly pid: number;
  readonly started: string;
  readonly by: "call" | "check" | "human";
}

/** A process in which an agent lives. */
export interface WorkingHost {
  readonly pid: number;
  readonly started: string;
  readonly name: string;
  /** In this container: its number means something here. */
  readonly isHere: boolean;
  /** A turn of its run is under way: whatever it starts now, the agent started. */
  readonly isWorking: boolean;
}

export type Speaker =
  | { readonly type: "agent"; readonly because: string }
  | { readonly type: "person"; readonly unclear?: string };

export interface Surroundings {
  /** Itself first. Empty: the system does not tell. */
  readonly lineage: readonly ProcessFact[];
  readonly shells: readonly RecordedShell[];
  readonly hosts: readonly WorkingHost[];
  /** Names of variables that hosts give to what they start: every program can set or drop them, so they prove nothing. */
  readonly marks: readonly string[];
  /** Hosts whose shells run in a container of their own, from which the host cannot be seen, by the name of its first process. */
  readonly sandboxes: Readonly<Record<string, string>>;
}

/**
 * Who speaks through a process. A shell of a call or a check anywhere above it is the agent's; so is whatever a host starts while
 * its agent works, except what the host reported as typed by you. What left its session and its parents belongs to no host any more: it
 * is only said to be unclear.
 */
export function speakerOf({ lineage, shells, hosts, marks, sandboxes }: Surroundings): Speaker {
  const [self] = lineage;
  if (self === undefined) return { type: "person", unclear: "the system does not tell which processes are above it" };
  // Its parents may be gone, but a process does not leave the session of a shell by accident.
  const left = shells.find(({ pid }) => pid === self.session || pid === self.group);
  if (left && left.by !== "human" && !isReused(left, lineage)) return byShell(left);
  let isTyped = left?.by === "human";
  let above: WorkingHost | undefined;
  for (const process of lineage) {
    const shell = shells.find((each) => isSame(each, process));
    if (shell && shell.by !== "human") return byShell(shell);
    isTyped ||= shell !== undefined;
    const sandbox = process.pid === 1 && Object.hasOwn(sandboxes, process.name) ? sandboxes[process.name] : undefined;
    if (sandbox !== undefined && isAtWork(sandbox, hosts))
      return agent(`it runs in the sandbox of ${sandbox}, which is at work`);
    const known = hosts.filter((each) => each.isHere && isSame(each, process)); // one process may serve several sessions
    const host = known.find(({ isWorking }) => isWorking) ?? known[0];
    if (host === undefined) continue;
    if (host.isWorking && !isTyped) return agent(`${host.name} (process ${host.pid}), which is at work, started it`);
    if (!isTyped) above ??= host;
    isTyped = false; // whatever stands above this host is another one's affair
  }
  const unclear = unclearOf(self, above, marks) ?? elsewhere(hosts);
  return { type: "person", unclear };
}

function unclearOf(self: ProcessFact, above: WorkingHost | undefined, marks: readonly string[]): string | undefined {
  if (above) return `${above.name} is above it; its agent was not at work`;
  if (marks.length > 0) return `it has ${marks.join(", ")} in its environment`;
  if (self.tty === undefined && self.parent <= 1) return "the process that started it is gone";
  return undefined;
}

const isAtWork = (name: string, hosts: readonly WorkingHost[]): boolean =>
  hosts.some((host) => host.name === name && host.isWorking);

function elsewhere(hosts: readonly WorkingHost[]): string | undefined {
  const host = hosts.find(({ isHere, isWorking }) => isWorking && !isHere);
  return host && `${host.name} is at work in another container or on another machine`;
}

function byShell({ by, pid }: RecordedShell): Speaker {
  return agent(`a ${by === "call" ? "tool call of the agent" : "check"} (process ${pid}) started it`);
}

const agent = (because: string): Speaker => ({ type: "agent", because });

const isSame = (one: { pid: number; started: string }, other: { pid: number; started: string }): boolean =>
  one.pid === other.pid && one.started === other.started;

const isReused = ({ pid, started }: RecordedShell, lineage: readonly ProcessFact[]): boolean =>
  lineage.some((process) => process.pid === pid && process.started !== started);
