import {
  ATTEMPTS,
  type Attempt,
  type Speaker,
  type Spoken,
  speakerOf,
  type WorkingHost,
} from "../core/speaker/index.ts";
import type { RunCard } from "../engine/index.ts";
import { openRun, tellRefused } from "../engine/index.ts";
import { PROFILES } from "../hosts/index.ts";
import { Failure } from "./command.ts";
import type { HomeStore } from "./home.ts";
import type { Io } from "./io.ts";
import { runsOf } from "./pick-run.ts";

/** Of ours, and of every host. They are written down and refuse nothing. */
const MARKS = ["TILDONE_GROUP", ...Object.values(PROFILES).flatMap(({ marks }) => marks)];
const SANDBOXES = Object.fromEntries(
  Object.values(PROFILES).flatMap(({ name, sandboxes = [] }) => sandboxes.map((process) => [process, name])),
);

/** Where this command was typed. Undefined: it is unknown, as in a test. */
export function spokenHere(store: HomeStore, io: Io): Spoken | undefined {
  const lineage = io.lineage?.() ?? [];
  if (io.lineage === undefined) return undefined;
  const speaker = speakerHere(store, io);
  const unclear = speaker.type === "person" ? speaker.unclear : speaker.because;
  const [self, ...above] = lineage;
  const uid = process.getuid?.();
  const marks = marksIn(io);
  return {
    via: self?.tty === undefined ? "process" : "terminal",
    tty: self?.tty,
    uid,
    ...(self && { pid: self.pid }),
    ...(above.length > 0 && { above: above.slice(0, MOST_ABOVE).map(({ name, pid }) => `${name} ${pid}`) }),
    ...(marks.length > 0 && { marks }),
    unclear,
  };
}

const MOST_ABOVE = 12;

/** What only you may say is refused where a call of the agent, or a check, says it; the log of its run keeps that it tried. */
export function refuseAgent(store: HomeStore, io: Io, attempt: Attempt, named?: string): void {
  if (io.lineage === undefined) return;
  const speaker = speakerHere(store, io);
  if (speaker.type !== "agent") return;
  const { because } = speaker;
  const text = ["tildone", ...(io.argv ?? [])].join(" ");
  for (const run of runsOfAttempt(store, io, named))
    try {
      tellRefused(store.log, run, { attempt, text, because }, io.now(), spokenHere(store, io));
    } catch {
      // It is refused all the same; a log that cannot be written says so when it is read.
    }
  throw new Failure(
    `Refused: only you can ${ATTEMPTS[attempt]}, and ${because}. Nothing was changed. Type it in a terminal of your own.`,
  );
}

/** The run whose agent tried it, and the run that it named. */
function runsOfAttempt(store: HomeStore, io: Io, named: string | undefined): ReadonlySet<string> {
  const cards = store.runs.list();
  const lineage = io.lineage?.() ?? [];
  const above = store.drivers
    .hosts()
    .filter((host) => host.isHere && lineage.some(({ pid, started }) => pid === host.pid && started === host.started));
  const own =
    cards.find((card) => above.some(({ host, session }) => card.host === host && card.session === session)) ??
    runsOf(io.cwd, cards)[0] ??
    cards.find((card) => card.live && isInTurn(store, card));
  const target = named === undefined || named === "" ? undefined : cards.find(({ run }) => run.startsWith(named));
  return new Set([own, target].flatMap((card) => (card ? [card.run] : [])));
}

function speakerHere(store: HomeStore, io: Io): Speaker {
  const lineage = io.lineage?.() ?? [];
  return speakerOf({
    lineage,
    shells: store.groups.shells(),
    hosts: hostsOf(store),
    marks: marksIn(io),
    sandboxes: SANDBOXES,
  });
}

const marksIn = ({ env }: Io): readonly string[] => MARKS.filter((name) => env[name] !== undefined);

function hostsOf(store: HomeStore): readonly WorkingHost[] {
  const cards = store.runs.list();
  return store.drivers.hosts().map(({ host, session, pid, started, isHere }) => {
    const card = cards.find((each) => each.host === host && each.session === session);
    return { pid, started, isHere, name: host, isWorking: card !== undefined && isInTurn(store, card) };
  });
}

const isInTurn = (store: HomeStore, { run }: RunCard): boolean => openRun(store.log, run).run.ledger.turn !== undefined;
