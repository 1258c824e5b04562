// Fakes, builders, personas and contracts for tests without a network and without waiting
import { memoryStore } from "../../src/index.ts";
import {
  aBoundary,
  aFailure,
  aReceipt,
  aRun,
  asCommand,
  type Call,
  type Clause,
  createFakeChecks,
  createFakeClock,
  createFakeHost,
  createFakeWorkspace,
  createFakeWorld,
  type FakeChecks,
  type FakeClock,
  type FakeHost,
  type FakeWorkspace,
  type FakeWorld,
  type GeneratedQuestion,
  generateQuestions,
  type History,
  type HistoryGiven,
  HOST_KINDS,
  type HostKind,
  history,
  type Meanwhile,
  type ModelRequest,
  PERSONAS,
  type Persona,
  type PersonaCall,
  type PersonaKind,
  type Played,
  playPersona,
  QUESTIONED_LIST,
  type QuestionKind,
  type RunGiven,
  receiptsOf,
  type Script,
  type ScriptedModel,
  Skipped,
  STORE_CONTRACT,
  type Step,
  type StoreSubject,
  said,
  scriptOf,
  startScriptedModel,
  todos,
  type View,
  type WorldGiven,
} from "../../src/testing/index.ts";

/** Time and a host that obey. */
const clock: FakeClock = createFakeClock();
const kind: HostKind = "print";
const host: FakeHost = createFakeHost(HOST_KINDS[kind]);
const checks: FakeChecks = createFakeChecks(clock.now);
const workspace: FakeWorkspace = createFakeWorkspace("files-1");
checks.guards = "the files from before the work";
workspace.state = "files-2";

/** The real engine among them. */
export async function inAWorld(): Promise<string> {
  const given: WorldGiven = { kind, limits: { countdownMs: 0 } };
  const world: FakeWorld = createFakeWorld(given);
  await world.tell({ type: "human.spoke" });
  await world.settle({ turn: "1" }).promise;
  return world.said;
}

/** States without the way to them, and the way itself. */
const given: RunGiven = {
  todos: todos("completed", "in_progress"),
  boundary: aBoundary({ failure: aFailure("rate_limit") }),
  receipts: receiptsOf(aReceipt("run", "npm test", { status: "failed" })),
};
export const run = aRun(given);
const begins: HistoryGiven = { limits: { countdownMs: 0 } };
const told: History = history(begins).goal("fix the parser").says();
console.log(said(told.run.ledger.decision), host.nudges.length);

/** A provider on loopback that answers by script. */
const write: Call = ["write_todos", { mode: "replace", todos: [{ text: "a" }] }];
const script: Script = ({ messages }: ModelRequest): Step =>
  messages.length < 2 ? { calls: [write] } : { text: "I stop here." };
export const provider = (): Promise<ScriptedModel> => startScriptedModel(script);

/** How models behave: played against the engine alone, or as a script in your host. */
const dishonest: PersonaKind = "dishonest";
const liar: Persona = PERSONAS.find((persona) => persona.kind === dishonest)!;
const shell = (call: PersonaCall): Call => ["bash", { command: asCommand(call) ?? "true" }];
export const asModel: Script = scriptOf(liar, shell);
export const alone = async (): Promise<boolean> => {
  const { decision }: Played = await playPersona(liar);
  return decision?.type === "stop" && decision.reason === liar.ends.reason;
};
const interrupted: Meanwhile = "human aborts";
export const mine: Persona = {
  ...liar,
  name: "A model that is interrupted",
  *plays(): ReturnType<Persona["plays"]> {
    const { user }: View = yield { say: "Beginning." };
    yield { say: user, meanwhile: interrupted };
  },
};

/** Last sentences of agents in many languages. */
const bare: QuestionKind = "bare";
export const questions: readonly GeneratedQuestion[] = generateQuestions().filter((each) => each.kind === bare);
console.log(QUESTIONED_LIST);

/** Every promise of a store, on one of your own. */
export async function tryStore(): Promise<readonly string[]> {
  const cannot = { cannot: "it is in memory only" };
  const broken: string[] = [];
  for (const clause of STORE_CONTRACT) {
    const subject: StoreSubject = { store: memoryStore(), second: cannot, damage: cannot };
    try {
      await (clause satisfies Clause).check(subject);
    } catch (error) {
      if (!(error instanceof Skipped)) broken.push(clause.name);
    }
  }
  return broken;
}
