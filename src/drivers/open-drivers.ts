import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../core/call/index.ts";
import type { Clock, Driver, DriverPlace, Drivers, HostProcess, Leave, Timer } from "../engine/index.ts";
import { attempt, type Machine, makeFolder, processStart, thisMachine } from "../machine/index.ts";

/** How often a process says that it is still there, and for how long a process that cannot be looked at from here is believed. */
const BEAT_MS = 20_000;
const BELIEVED_MS = 120_000;
/** A process that was silent for so long is not there any more. */
const SWEPT_MS = 24 * 60 * 60_000;

interface Note extends DriverPlace {
  readonly v: 1;
  readonly pid: number;
  readonly started: string;
  readonly hostStarted?: string;
  readonly machine: Machine;
  readonly since: number;
}

export interface DriversOptions {
  /** The state folder of the user. */
  readonly state: string;
  readonly clock: Clock;
  readonly machine?: Machine;
}

/**
 * One small file per process and session. A process that is killed leaves its file behind; whether it lives is asked of the
 * system, by its number and by when it began. What cannot be written is no reason to stop anything: then the log alone speaks.
 */
export function openDrivers({ state, clock, machine = thisMachine() }: DriversOptions): Drivers {
  const folder = join(state, "drivers");
  return { enter, forgetHosts, introduce, served, of, hosts };

  function enter(place: DriverPlace): Leave {
    const name = join(folder, `${keyOf(place)}.${process.pid}.${place.kind}`);
    let beat: Timer | undefined;
    attempt(() => {
      makeFolder(folder, 0o700);
      forget(place, ({ isAlive }) => !isAlive);
      sweep();
      const started = processStart(process.pid) ?? "";
      const hostStarted = place.hostPid === undefined ? undefined : processStart(place.hostPid);
      const note: Note = {
        ...place,
        v: 1,
        pid: process.pid,
        started,
        ...(hostStarted !== undefined && { hostStarted }),
        machine,
        since: clock.now(),
      };
      write(name, note);
    });
    stay();
    return (stays) => {
      beat?.cancel();
      if (stays === undefined) attempt(() => rmSync(name, { force: true }));
    };

    function stay(): void {
      beat = clock.setTimer(clock.now() + BEAT_MS, () => {
        const now = clock.now() / 1000;
        attempt(() => utimesSync(name, now, now));
        stay();
      });
    }
  }

  function forgetHosts(place: OfSession): void {
    forget(place, ({ isHostGone }) => isHostGone === true);
  }

  function forget(place: OfSession, isOver: (driver: Driver) => boolean): void {
    for (const { file, driver } of found(place)) if (isOver(driver)) attempt(() => rmSync(file, { force: true }));
  }

  function introduce(as: OfSession, place: Pick<DriverPlace, "host" | "session" | "driver">): void {
    const known = notes(`${keyOf(as)}.`).find(({ note, file }) => isAlive(note, file));
    if (known) write(join(folder, `${keyOf(place)}.${known.note.pid}.${known.note.kind}`), { ...known.note, ...place });
  }

  function served(): readonly OfSession[] {
    return notes("").flatMap(({ note }) => (note.kind === "server" && note.pid === process.pid ? [note] : []));
  }

  function write(name: string, note: Note): void {
    attempt(() => {
      writeFileSync(`${name}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${name}.new`, name); // no process reads half of it
    });
  }

  /** What was killed left its file, and its session may never be heard of again. */
  function sweep(): void {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (clock.now() - (attempt(() => statSync(file).mtimeMs) ?? clock.now()) > SWEPT_MS)
        rmSync(file, { force: true });
    }
  }

  function of(place: OfSession): readonly Driver[] {
    return found(place).map(({ driver }) => driver);
  }

  function hosts(): readonly HostProcess[] {
    return notes("").flatMap(({ file, note }) => {
      const { host, session, pid, started, hostPid, hostStarted } = note;
      if (!isAlive(note, file)) return [];
      const own = { host, session, pid, started, isHere: isHere(note) };
      return hostPid === undefined || hostStarted === undefined
        ? [own]
        : [own, { ...own, pid: hostPid, started: hostStarted }];
    });
  }

  function found(place: OfSession): readonly { file: string; driver: Driver }[] {
    const own = notes(`${keyOf(place)}.`);
    const orphans = new Set(own.filter(({ note }) => isHostGone(note)).map(({ note }) => note.pid));
    return own.map(({ file, note }) => ({ file, driver: driverOf(note, file, orphans.has(note.pid)) }));
  }

  function notes(prefix: string): readonly { file: string; note: Note }[] {
    return (attempt(() => readdirSync(folder)) ?? [])
      .filter((name) => name.startsWith(prefix) && !name.endsWith(".new"))
      .flatMap((name) => {
        const file = join(folder, name);
        const note = attempt(() => JSON.parse(readFileSync(file, "utf8")) as Note);
        return note === undefined ? [] : [{ file, note }];
      });
  }

  function driverOf(note: Note, file: string, isOrphan: boolean): Driver {
    const { kind, driver, program, pid, since } = note;
    return {
      kind,
      driver,
      program,
      pid,
      since,
      machine: note.machine.name,
      isHere: isHere(note),
      isAlive: !isOrphan && isAlive(note, file),
      ...(isOrphan && { isHostGone: true }),
    };
  }

  function isHostGone(note: Note): boolean {
    const { hostPid, hostStarted } = note;
    if (hostPid === undefined || hostStarted === undefined) return false;
    if (isHere(note)) return processStart(hostPid) !== hostStarted;
    return note.machine.name === machine.name && note.machine.boot !== machine.boot;
  }

  function isAlive(note: Note, file: string): boolean {
    if (isHere(note)) return processStart(note.pid) === note.started;
    if (note.machine.name === machine.name && note.machine.boot !== machine.boot) return false; // it was started anew since
    return clock.now() - (attempt(() => statSync(file).mtimeMs) ?? 0) < BELIEVED_MS;
  }

  function isHere({ machine: { name, boot, space } }: Note): boolean {
    return name === machine.name && boot === machine.boot && space === machine.space;
  }
}

type OfSession = Pick<DriverPlace, "host" | "session">;
const keyOf = ({ host, session }: OfSession): string => digestOf(host, session, "");
