import { join } from "node:path";
import { attempt } from "./attempt.ts";
import { files } from "./builtins.ts";
import { makeFolder } from "./make-folder.ts";
import { processStart } from "./process-start.ts";
import { type Machine, thisMachine } from "./this-machine.ts";

/** The process groups that tildone started, so that a killed tildone leaves nothing running behind. */
export interface ProcessGroups {
  /** Goes into the environment of what is started, and so of all that it starts. */
  readonly mark: Readonly<Record<string, string>>;
  /** A group is about to be started: told before, so that none is lost to a kill in between. The answer is called once it is recorded, or never was. */
  expect(by: StartedBy): () => void;
  /** Remembers the group that `pid` leads until the answer is called, or this process ends in order. */
  record(pid: number, by?: StartedBy): () => void;
  /** The groups of processes that still live, with what they were started for. */
  shells(): readonly { readonly pid: number; readonly started: string; readonly by: StartedBy }[];
  /** Ends the groups whose tildone is gone, and says how many there were. */
  endOrphans(): Promise<number>;
  /** What still runs is meant to: this process ends in order. */
  forget(): void;
}

/** For a call of the agent, for a check, or for a command that you typed in the host. */
export type StartedBy = "call" | "check" | "human";

interface Note {
  /** Absent in notes of earlier releases. */
  readonly by?: StartedBy;
  readonly owner: { readonly pid: number; readonly started: string };
  /** Zero: not known yet. Then `started` is when it was about to begin. */
  readonly pid: number;
  readonly started: string;
  readonly mark: string;
  readonly machine: Machine;
}

const MARK = "TILDONE_GROUP";

/** One small file per group. What cannot be written is no reason not to run a command. */
export function openProcessGroups(state: string, machine: Machine = thisMachine()): ProcessGroups {
  const folder = join(state, "groups");
  const owner = { pid: process.pid, started: processStart(process.pid) ?? "" };
  const mark = `${machine.space}:${owner.pid}:${owner.started}`;
  const own = new Set<string>();
  let expected = 0;
  return { mark: { [MARK]: mark }, expect, record, shells, endOrphans, forget };

  function expect(by: StartedBy): () => void {
    const started = ticks();
    if (started === undefined) return () => {}; // a system that does not tell what a process carries, either
    const file = join(folder, `${owner.pid}.next.${++expected}`);
    write(file, { by, owner, pid: 0, started, mark, machine });
    return () => drop(file);
  }

  function record(pid: number, by: StartedBy = "call"): () => void {
    if (!isGroupAlive(pid)) return () => {};
    const started = processStart(pid) ?? ""; // a shell may be over while what it put in the background is not
    const file = join(folder, `${owner.pid}.${pid}`);
    write(file, { by, owner, pid, started, mark, machine });
    return () => {
      if (isGroupAlive(pid)) return; // a server in the background: it continues while its run does
      drop(file);
    };
  }

  function write(file: string, note: Note): void {
    attempt(() => {
      makeFolder(folder, 0o700);
      files().writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
      own.add(file);
    });
  }

  function shells() {
    return notes()
      .filter(({ note }) => note.pid > 0)
      .filter(({ note: { machine: of, owner: whose } }) => isHere(of) && processStart(whose.pid) === whose.started)
      .map(({ note: { pid, started, by = "call" } }) => ({ pid, started, by }));
  }

  function notes(): readonly { readonly file: string; readonly note: Note }[] {
    return names().flatMap((name) => {
      const file = join(folder, name);
      const note = readNote(file);
      return note ? [{ file, note }] : [];
    });
  }

  function names(): readonly string[] {
    return attempt(() => files().readdirSync(folder)) ?? [];
  }

  /** A process that was killed while it wrote a note left one that says nothing; what it was about, the note before it says. */
  function dropUnfinished(): void {
    for (const name of names()) {
      const isOwnerGone = processStart(Number.parseInt(name, 10)) === undefined;
      if (isOwnerGone && readNote(join(folder, name)) === undefined) drop(join(folder, name));
    }
  }

  async function endOrphans(): Promise<number> {
    const orphans = notes().filter(({ note }) => isOrphan(note));
    const ended = await Promise.all(orphans.map(({ note }) => endGroup(note)));
    for (const { file } of orphans) drop(file);
    dropUnfinished();
    return ended.filter((was) => was).length;
  }

  function isOrphan({ owner: { pid, started }, machine: { name, boot, space } }: Note): boolean {
    if (name !== machine.name) return false;
    if (boot !== machine.boot) return true; // nothing outlives the machine; only the file is left
    return space === machine.space && processStart(pid) !== started;
  }

  function isHere({ name, boot, space }: Machine): boolean {
    return name === machine.name && boot === machine.boot && space === machine.space;
  }

  async function endGroup(note: Note): Promise<boolean> {
    if (note.by === "human") return false; // yours, and not to be ended
    if (note.machine.boot !== machine.boot || targetsOf(note).length === 0) return false;
    for (const pid of targetsOf(note)) signal(pid, "SIGTERM");
    for (let waited = 0; waited < GRACE_MS && targetsOf(note).length > 0; waited += STEP_MS) await pause(STEP_MS);
    for (const pid of targetsOf(note)) signal(pid, "SIGKILL");
    return true;
  }

  function forget(): void {
    for (const file of own) drop(file);
  }

  function drop(file: string): void {
    own.delete(file);
    attempt(() => files().rmSync(file, { force: true }));
  }
}

const readNote = (file: string): Note | undefined =>
  attempt(() => JSON.parse(files().readFileSync(file, "utf8")) as Note);

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const GRACE_MS = 1000;
const STEP_MS = 25;

/**
 * Whom to signal: the whole group while its leader lives, and after that those of the group that carry our mark. A number alone is
 * never enough: it may be another process's by now.
 */
function targetsOf({ pid, started, mark }: Note): readonly number[] {
  if (pid === 0) return beganSince(Number(started), mark);
  if (!(pid > 1)) return []; // a note that was written by others: minus one would be every process there is
  return processStart(pid) === started ? [-pid] : membersOf(pid).filter((member) => carries(member, mark));
}

/** Members of a group whose leader is gone. Only Linux tells. */
const membersOf = (group: number): readonly number[] =>
  processes().flatMap((each) => (each.group === group ? [each.pid] : []));

/**
 * Groups that began since then and carry our mark: one of them was about to be recorded. Its leader may be over by now, and what it put in
 * the background is not.
 */
function beganSince(since: number, mark: string): readonly number[] {
  const began = processes().filter(({ pid, started }) => started >= since && carries(pid, mark));
  const led = new Set(began.flatMap(({ pid, group }) => (pid === group ? [group] : [])));
  return began.flatMap(({ pid, group }) => (pid === group ? [-pid] : led.has(group) ? [] : [pid]));
}

function processes(): readonly { readonly pid: number; readonly group: number; readonly started: number }[] {
  return (attempt(() => files().readdirSync("/proc")) ?? []).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = attempt(() => files().readFileSync(`/proc/${name}/stat`, "utf8"));
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (!fields || fields[0] === "Z") return [];
    return [{ pid: Number(name), group: Number(fields[2]), started: Number(fields[19]) }];
  });
}

/** Now, in the hundredths of a second since the start of the machine that processes are dated with; a little less, since they are rounded. */
function ticks(): string | undefined {
  const uptime = attempt(() => files().readFileSync("/proc/uptime", "utf8"));
  return uptime === undefined ? undefined : String(Math.floor(Number.parseFloat(uptime) * 100) - 5);
}

function carries(pid: number, mark: string): boolean {
  const environment = attempt(() => files().readFileSync(`/proc/${pid}/environ`, "utf8")) ?? "";
  return environment.split("\0").includes(`${MARK}=${mark}`);
}

const isGroupAlive = (pid: number): boolean => attempt(() => process.kill(-pid, 0)) ?? false;

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  attempt(() => process.kill(pid, name));
}
