import { randomUUID } from "node:crypto";
import type { Told } from "../../compose/index.ts";
import type { Envelope, HoldBatch } from "../../core/run/index.ts";
import { countText } from "../../core/view/index.ts";
import { isWorking, type RunCard, readEvents, summaryOf } from "../../engine/index.ts";
import { type Command, Failure, type Given, has, UsageError } from "../command.ts";
import { type HomeStore, withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { isActive, nothingHere, pickRun, runNamed, runsOf } from "../pick-run.ts";
import { refuseAgent, spokenHere } from "../speaker.ts";
import { clip, wrap } from "../wrap.ts";

export const hold: Command = {
  name: "hold",
  takes: "[run]",
  summary: "Stops every run in this folder, or the one you name, until unhold.",
  examples: [
    ["tildone hold", "every run that works in this folder"],
    ["tildone hold --all", "every run that works on this machine"],
    ["tildone hold k3f9", "this run"],
  ],
  completes: ["run"],
  options: {
    all: { type: "boolean", short: "a", says: "Every run that works on this machine, in any folder." },
    now: { type: "boolean", says: "Also end the agent's turn now, where the host can." },
  },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      refuseBoth(given);
      const { cards, none } = await toHold(store, given, io);
      if (cards.length === 0) {
        io.out(io.isTerminal ? wrap(none, io.columns) : none);
        return 0;
      }
      return holdAll(store, cards, has(given, "now"), io);
    }),
};

export const unhold: Command = {
  name: "unhold",
  takes: "[run]",
  summary: "Continues the runs that the last hold stopped, or the run you name.",
  examples: [
    ["tildone unhold", "what the last hold stopped"],
    ["tildone unhold k3f9", "this run, held or interrupted"],
  ],
  completes: ["run"],
  options: { all: { type: "boolean", short: "a", says: "Every run on this machine that is on hold." } },
  words: 1,
  run: (given, io) =>
    withStore(io, async (store) => {
      refuseBoth(given);
      refuseAgent(store, io, "unhold", given.words[0]);
      const [named] = given.words;
      const cards = named !== undefined ? [await runNamed(store, named)] : held(store, has(given, "all"), io.cwd);
      if (cards.length === 0 && has(given, "all")) {
        io.out("No run is on hold.");
        return 0;
      }
      const chosen = cards.length > 0 ? cards : [await pickRun(store, undefined, io)];
      for (const card of chosen) {
        const told = await store.tell(card.run, { type: "human.unhold" }, spokenHere(store, io));
        if (told.status === "done") io.out(line("Continues:", card, io));
        else if (!saysWhyNot(told, card, io)) io.out(line("Not on hold:", card, io));
      }
      return 0;
    }),
};

/** Whatever works. Where nothing does, the newest run that could be made to continue; in doubt it is held. */
async function toHold(store: HomeStore, given: Given, io: Io): Promise<ToHold> {
  const [named] = given.words;
  if (named !== undefined) return { cards: [await runNamed(store, named)], none: "" };
  const all = store.runs.list();
  const here = has(given, "all") ? all : runsOf(io.cwd, all);
  const active = here.filter((card) => isActive(store, card, io.now()));
  if (active.length > 0) return { cards: active, none: "" };
  if (has(given, "all")) return { cards: [], none: "Nothing to hold: no run works on this machine." };
  const live = here.find((card) => card.live);
  if (live) return { cards: [live], none: "" };
  const [ended] = here;
  return {
    cards: [],
    none:
      ended === undefined
        ? `Nothing to hold. ${await nothingHere(store, io)}`
        : `Nothing to hold: no run works in this folder. The last one, ${ended.run}, has ended.`,
  };
}

/** Whether something other than the hold itself is why nothing changed now. */
function saysWhyNot(told: Exclude<Told, { readonly status: "done" }>, card: RunCard, io: Io): boolean {
  const isOver = told.status === "refused" && (told.code === "run_ended" || told.code === "run_over");
  if (isOver) io.out(line("Already ended:", card, io));
  else if (told.status === "refused") throw new Failure(told.text);
  else if (told.later) io.out(told.text);
  return isOver || told.status === "refused" || told.later === true;
}

interface ToHold {
  readonly cards: readonly RunCard[];
  readonly none: string;
}

async function holdAll(store: HomeStore, cards: readonly RunCard[], now: boolean, io: Io): Promise<number> {
  const batch: HoldBatch = { id: randomUUID(), cwd: io.cwd };
  let failed: unknown;
  let isOver = true;
  for (const card of cards)
    try {
      const wasWorking = isWorking(card, store.drivers.of(card), io.now());
      const told = await store.tell(card.run, { type: "human.hold", now, batch }, spokenHere(store, io));
      if (told.status === "done") io.out(line(wasWorking ? "Held:" : "Held (it was not working):", card, io));
      else if (!saysWhyNot(told, card, io)) io.out(line("Already on hold:", card, io));
      isOver &&= told.status === "refused";
    } catch (error) {
      failed = error; // the others are held all the same
      io.err(line("NOT held:", card, io));
      for (const { pid, isHere, isAlive } of store.drivers.of(card))
        if (isHere && isAlive) io.err(`Stop its process instead: kill -INT ${pid}`);
    }
  if (failed !== undefined) throw failed;
  if (isOver) return 0;
  io.out(
    cards.length === 1 ? `To continue: tildone unhold ${cards[0]!.run}` : "To continue all of them: tildone unhold",
  );
  return 0;
}

/** What the last hold held, of those that were said here or that hold a run of this folder. */
function held(store: HomeStore, all: boolean, cwd: string): readonly RunCard[] {
  const cards = store.runs.list().filter((card) => card.live && summaryOf(card).held);
  if (all) return cards;
  const holds = cards.map((card) => ({ card, hold: lastHold(store, card) }));
  const ofFolder = new Set(runsOf(cwd, cards));
  const near = holds.filter(({ card, hold }) => ofFolder.has(card) || hold?.batch?.cwd === cwd);
  const last = near.reduce<(typeof near)[number] | undefined>(
    (latest, each) => ((each.hold?.at ?? 0) > (latest?.hold?.at ?? -1) ? each : latest),
    undefined,
  );
  if (!last) return [];
  const id = last.hold?.batch?.id;
  return id === undefined ? [last.card] : holds.filter(({ hold }) => hold?.batch?.id === id).map(({ card }) => card);
}

function lastHold(store: HomeStore, { run }: RunCard): { readonly at: number; readonly batch?: HoldBatch } | undefined {
  let found: Envelope | undefined;
  for (const envelope of readEvents(store.log, run)) if (envelope.event.type === "human.held") found = envelope;
  if (found?.event.type !== "human.held") return undefined;
  return { at: found.at, batch: found.event.batch };
}

function refuseBoth(given: Given): void {
  if (has(given, "all") && given.words.length > 0) throw new UsageError("Name a run or use --all, not both.");
}

function line(what: string, card: RunCard, io: Io): string {
  const { goal, done, total, proven = 0 } = summaryOf(card);
  const count = countText({ done, total, proven });
  return clip(`${what} ${card.run}  ${card.host}  ${count}  ${goal ?? card.cwd}`, io.columns);
}
