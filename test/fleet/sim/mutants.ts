import type { Mutant } from "../../sim/mutants.ts";

const LEDGER = "src/fleet/ledger/memory-ledger.ts";
const DRIVER = "src/fleet/runner/driver.ts";
const SAFE = "src/fleet/runner/safe-files.ts";
const PROTOCOL = "src/fleet/runner/protocol.ts";
const QUEUE = "src/fleet/worker/drive-from-queue.ts";
const REF = "src/fleet/files/claimed-ref.ts";

/** `from`: one that takes several faults in a row is found from this seed on. */
interface FleetMutant extends Mutant {
  readonly from?: number;
}

/** Mistakes of a fleet, one place each, with the promises they may break. */
export const MUTANTS: readonly FleetMutant[] = [
  {
    name: "writes without looking at the epoch",
    file: LEDGER,
    find: 'if (kept?.epoch !== epoch) return "fenced";',
    replace: 'if (!kept || epoch < 0) return "fenced";',
    breaks: ["who is fenced writes nothing", "who is fenced is told", "nothing throws"],
  },
  {
    name: "claims without a new epoch",
    file: LEDGER,
    find: "    kept.epoch++;\n    kept.attempts",
    replace: "    kept.attempts",
    breaks: ["epochs grow by one"],
  },
  {
    name: "cancels without a new epoch",
    file: LEDGER,
    find: "      kept.epoch++;\n      tell(run);",
    replace: "      tell(run);",
    breaks: ["epochs grow by one"],
  },
  {
    name: "keeps events after the checkpoint",
    file: LEDGER,
    find: "kept.rows.splice(seq)",
    replace: "kept.rows.slice(seq)",
    breaks: ["a claim starts at the checkpoint", "what is lost is kept"],
  },
  {
    name: "does not open the words of a lost turn again",
    file: LEDGER,
    find: "word.appliedSeq > seq)",
    replace: "word.appliedSeq > Infinity)",
    breaks: ["lost words are open again"],
  },
  {
    name: "takes a claim that is said again for another one",
    file: LEDGER,
    find: "if (isRepeated) return",
    replace: "if (isRepeated && kept!.epoch < 0) return",
    breaks: ["a claim said again gets what it got", "everything comes to rest"],
  },
  {
    name: "gives a run back to a claim that is late",
    file: LEDGER,
    find: "if (after !== undefined && kept!.epoch !== after)",
    replace: "if (after !== undefined && kept!.epoch < after)",
    breaks: ["who claimed last keeps it"],
  },
  {
    name: "gives the claim of another one",
    file: LEDGER,
    find: 'kept!.state === "running" && kept!.token === token;',
    replace: 'kept!.state === "running" && kept!.token !== undefined;',
    breaks: ["who claimed last keeps it"],
  },
  {
    name: "takes a run that it drives already, because the queue gave it out again",
    file: QUEUE,
    find: 'if (place.taken.has(run)) return "overtaken";',
    replace: "",
    breaks: ["who drives it and has its place keeps it"],
  },
  {
    name: "claims a run whose place another worker got meanwhile",
    file: QUEUE,
    find: 'if (!(await insist(place.keepsPlace, { wait }))) return "overtaken";',
    replace: "",
    breaks: ["who drives it and has its place keeps it"],
  },
  {
    name: "lets one run more than its limit allows be claimed",
    file: LEDGER,
    find: "count(name) >= most",
    replace: "count(name) > most",
    breaks: ["limits are kept"],
  },
  {
    name: "forgets what a run counts against",
    file: LEDGER,
    find: "kept!.limits = limits.map(([name]) => name);",
    replace: "kept!.limits = limits.flatMap(() => []);",
    breaks: ["limits are kept"],
  },
  {
    name: "never forgets a death",
    file: LEDGER,
    find: "if (survived) kept.attempts = 0;",
    replace: "",
    breaks: ["deaths are counted"],
  },
  {
    name: "forgets deaths at the checkpoint before the turn that kills",
    file: LEDGER,
    find: "if (survived) kept.attempts = 0;",
    replace: "kept.attempts = 0;",
    breaks: ["deaths are counted"],
  },
  {
    name: "counts a hand-back as a death",
    file: LEDGER,
    find: "kept.attempts = Math.max(0, kept.attempts - 1);",
    replace: "",
    breaks: ["deaths are counted"],
  },
  {
    name: "lets go of a run with open words",
    file: LEDGER,
    find: "open.some(({ id }) => !unsaid.includes(id))",
    replace: "open.length < 0",
    breaks: ["no word is left behind"],
  },
  {
    name: "lets go of a run with events after its checkpoint",
    file: LEDGER,
    find: "if (!isSafe || open",
    replace: "if (open",
    breaks: ["nothing is let go of unsafe"],
  },
  {
    name: "forgets what lost turns used",
    file: LEDGER,
    find: "kept.lostSpend = addSpend(kept.lostSpend, lostSpend(kept.rows, gone));",
    replace: "",
    breaks: ["lost spend is counted"],
  },
  {
    name: "drives a run that waits for you",
    file: "src/fleet/ledger/kept-run.ts",
    find: 'if (state === "parked") return',
    replace: 'if (state === "parked" && eventVersion < 0) return',
    breaks: ["over is over"],
  },
  {
    name: "marks only a part of the log",
    file: PROTOCOL,
    find: "while (local.rowsAfter(",
    replace: "while (sent < 0 && local.rowsAfter(",
    breaks: ["log, conversation and files agree"],
  },
  {
    name: "records a checkpoint before its push arrived",
    file: REF,
    find: 'if ((await remote.move(commit, tip, directory)) === "fenced") return "fenced";',
    replace: "remote.move(commit, tip, directory).catch(() => {});",
    breaks: ["a checkpoint can be restored", "the result is whole"],
  },
  {
    name: "pushes without a lease",
    file: REF,
    find: "await remote.move(commit, tip, directory)",
    replace: "await remote.move(commit, await remote.tip(), directory)",
    breaks: ["who is fenced pushes nothing", "a checkpoint can be restored"],
  },
  {
    name: "takes over from a newer claim",
    file: REF,
    find: "(await remote.epochOf(tip)) > epoch",
    replace: "(await remote.epochOf(tip)) > Infinity",
    breaks: ["who is fenced pushes nothing"],
  },
  {
    name: "applies a word as often as it is heard",
    file: "src/fleet/runner/words.ts",
    find: "    seen.add(word.id);\n",
    replace: "",
    breaks: ["each word once", "everything comes to rest"],
  },
  {
    name: "calls a word done that an ended run ignored",
    file: "src/fleet/runner/words.ts",
    find: 'reply.why === "run_ended" ? ENDED',
    replace: 'reply.why === "no_run" ? ENDED',
    breaks: ["each word once"],
  },
  {
    name: "waits for you although you have spoken",
    file: DRIVER,
    find: 'if (run?.status !== "ended" && !hearing.hasLooked()) continue;',
    replace: "",
    breaks: ["what you say is looked at"],
  },
  {
    name: "starts a turn before it looks at what was said before",
    file: DRIVER,
    find: "    hearing.begin();\n    if ((await makeSafe())",
    replace: "    if ((await makeSafe())",
    breaks: ["holds survive"],
  },
  {
    name: "asks for words again that a run without a log cannot hear",
    file: DRIVER,
    find: "local.last() === 0 ? hearing.unsaid() : []",
    replace: "[]",
    breaks: ["everything comes to rest"],
  },
  {
    name: "lets a turn begin that was refused at the barrier",
    file: DRIVER,
    find: "      fence();\n      return FENCED;",
    replace: "      return undefined;",
    breaks: ["nothing leaves before it is safe"],
  },
  {
    name: "hands a run back, and lets its turn begin",
    file: DRIVER,
    find: '    agent?.kill();\n    return "the worker is shutting down, and another one continues";',
    replace: "    await handBack();\n    return undefined;",
    breaks: ["nothing leaves a run that was let go of"],
  },
  {
    name: "pushes again and again before it asks",
    file: SAFE,
    find: "await whileOurs(() => files.checkpoint(lease.epoch));",
    replace:
      'await whileOurs(async () => {\n      for (let n = 0; n < 3; n++) await files.result(lease.epoch, "");\n      return files.checkpoint(lease.epoch);\n    });',
    breaks: ["who is fenced asks before it pushes on"],
  },
  {
    name: "pushes on although it gave the run back",
    file: SAFE,
    find: "hasGivenUp() ? new Promise<never>(() => {}) : act()",
    replace: "act()",
    breaks: ["who is fenced pushes nothing"],
    from: 60_000,
  },
  {
    name: "forgets that a rewritten conversation is not shifted",
    file: "src/fleet/runner/conversation.ts",
    find: "if (fresh.at === 0) shift = 0;",
    replace: "",
    breaks: ["log, conversation and files agree", "nothing throws"],
  },
  {
    name: "publishes the newest checkpoint",
    file: "src/fleet/worker/publish-run.ts",
    find: "push(found, resultCommit)",
    replace: "push(found, found.checkpoint?.commit ?? resultCommit)",
    breaks: ["the recorded commit is published"],
  },
  {
    name: "does not look for results that were never published",
    file: "src/fleet/ledger/memory-ledger.ts",
    find: "kept.resultCommit !== undefined && !kept.isPublished",
    replace: "kept.resultCommit === undefined && false",
    breaks: ["the recorded commit is published"],
    from: 23_000,
  },
  {
    name: "does not find its runs after it was started again",
    file: "src/fleet/worker/adrift-runs.ts",
    find: "return driver === self && !driving.has(run);",
    replace: "return false;",
    breaks: ["everything comes to rest"],
  },
];
