import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Call,
  type Meanwhile,
  type ModelRequest,
  type Persona,
  type PersonaCall,
  type Script,
  type Step,
  scriptOf,
} from "../../src/testing/index.ts";
import { isAside } from "../../test/hosts/script.ts";
import { judgeOf } from "./judges.ts";
import { isOnScreen } from "./personas.ts";
import { RUNAWAY } from "./verdict.ts";

/** Requests that hosts make on the side use up no step: for a title, which bring no tools, or for a summary of what was said. */
export const isMain = (request: ModelRequest): boolean => {
  if (request.tools.length === 0 || isAside(request) || isInBackground(request)) return false;
  return !isSummaryAsked(request);
};
const isSummaryAsked = ({ messages }: ModelRequest): boolean => SUMMARY.test(messages.at(-1)?.text ?? "");
const SUMMARY =
  /CONTEXT CHECKPOINT|single-line task title|create a (detailed )?summary of the conversation|produce the <state_snapshot> XML/i;

export interface Directions {
  readonly toolOf: (call: PersonaCall) => Call;
  /** Ends the host as a human would. */
  readonly abort: () => void;
  readonly means?: Means | undefined;
  /** Whether the work is done by now, for a host that asks another model. */
  readonly isDone?: () => boolean;
}

export interface Bounded {
  readonly script: Script;
  /** How often the model was asked while it waited for its agent. */
  readonly inWait: () => number;
}

/** How a host is brought to do what a script alone cannot. */
export interface Means {
  /** How much the model says that it read, in this answer or already in the one before, for the host to compact its context. */
  readonly compacts?: { readonly tokens: number; readonly in: "this" | "the one before" };
  /** The call that lets an agent work in the background, given what that agent is told. */
  readonly background?: (prompt: string) => Call;
  /** It has a screen of its own, on which a key stops a turn; how often the host, by itself, asks again after that. */
  readonly screen?: { readonly asksAfterStop: number };
  /** The persona keeps the host's own list, which does not say as much as ours. */
  readonly listLacks?: readonly ("blocked items" | "declared files")[];
}

/** The agent in the background is known by what it is told. */
const BACKGROUND = "Look after product in the background.";
const BACKGROUND_MS = 4000;
const isInBackground = ({ tools, messages }: ModelRequest): boolean =>
  tools.length > 0 && !!messages.find(({ role }) => role === "user")?.text.includes(BACKGROUND);

/**
 * The persona's script, bounded: a host that keeps asking is counted and ended. Where the user aborts, the model keeps the
 * host waiting and `abort` is called.
 */
export function boundedScript(persona: Persona, directions: Directions): Bounded {
  const { toolOf, abort, means = {}, isDone = () => false } = directions;
  const script = scriptOf(persona, toolOf) as Exclude<Script, readonly Step[]>;
  const events = eventsOf(persona);
  const { compacts, background } = means;
  let [count, position, started, sinceWait] = [0, 0, false, 0];
  let askedInWait = 0;
  const answer: Script = (request) => {
    if (isInBackground(request)) return { text: "Product is looked after.", after: agentEnds() };
    const judge = judgeOf(request);
    if (judge) return { text: judge(isDone()) };
    if (isSummaryAsked(request) && compacts) return { text: ASIDE, usage: { input: compacts.tokens, output: 10 } };
    if (!isMain(request)) return { text: wantsJson(request) ? NOT_STUCK : ASIDE };
    if (++count > RUNAWAY) return { status: 400, message: "the benchmark ends this runaway" };
    if (background && !started && events[position] === "agent works on") {
      started = true;
      return { calls: [background(BACKGROUND)] };
    }
    if (events[position - 1] === "agent works on" || sinceWait > 0) sinceWait++;
    const step = script(request, count);
    const happens = events[position];
    const follows = events[++position];
    if (happens === "human aborts") {
      abort();
      return { ...step, after: new Promise(() => {}) };
    }
    if (compacts && (compacts.in === "this" ? happens : follows) === "host compacts")
      return { ...step, usage: { input: compacts.tokens, output: 10 } };
    // An hour of a rate limit is a second here.
    return step.headers?.["retry-after"] ? { ...step, headers: { "retry-after": "1" } } : step;
  };
  return { script: answer, inWait: () => askedInWait };

  async function agentEnds(): Promise<void> {
    await passed(BACKGROUND_MS);
    askedInWait = Math.max(askedInWait, sinceWait);
  }
}

/** Gemini CLI asks now and then whether the conversation is stuck, and asks again until it is told in JSON. */
const wantsJson = ({ body }: ModelRequest): boolean =>
  JSON.stringify(body).includes('"responseMimeType":"application/json"');
const ASIDE = "<summary>what was said</summary><state_snapshot>what was said</state_snapshot>";
const NOT_STUCK = '{ "unproductive_state_analysis": "It goes on.", "unproductive_state_confidence": 0.1 }';

const passed = (ms: number) => new Promise((over) => setTimeout(over, ms));

/** What happens meanwhile in each of a persona's first answers. */
function eventsOf(persona: Persona): readonly (Meanwhile | undefined)[] {
  const plays = persona.plays();
  return Array.from({ length: 20 }, () => plays.next({ user: "", results: [], turn: 1 }).value?.meanwhile);
}

function blocksItems(persona: Persona): boolean {
  const plays = persona.plays();
  const calls = Array.from(
    { length: 3 },
    () => plays.next({ user: "", results: [], turn: 1 }).value?.calls ?? [],
  ).flat();
  return calls.some(({ input }) => "action" in input && input.action === "block");
}

export const startsAgent = (persona: Persona): boolean => eventsOf(persona).includes("agent works on");

/** Why a persona cannot be played by a program that is started with a prompt and left alone. */
export function needs(
  persona: Persona,
  { compacts, background, screen, listLacks = [] }: Means = {},
): string | undefined {
  if (isOnScreen(persona) && !screen) return "it has no screen of its own";
  if (persona.workflow) return "a workflow is started by a human in the host";
  if (listLacks.includes("blocked items") && persona.ends.reason === "blocked" && blocksItems(persona))
    return "the host's own list knows no blocked items";
  if (listLacks.includes("declared files") && declaredBy(persona).length > 0)
    return "the host's own list does not tell which files an item changes";
  const events = eventsOf(persona);
  if (!background && startsAgent(persona)) return "this host has no agents that work in the background";
  if (!compacts && events.includes("host compacts"))
    return "needs a compaction at one moment, which no script brings about in this host";
  return undefined;
}

/** What the user types: the task, and by what it is done. Every system hears it; one that can run a check is given it as well. */
export const asksOf = ({ asks, checks }: Persona): string =>
  checks.length === 0
    ? asks
    : `${asks} It is done when ${checks.map((check) => `\`${check}\``).join(" and ")} succeeds.`;

export function layOut(persona: Persona, project: string): void {
  for (const [path, text] of Object.entries(persona.project)) put(project, path, text);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=persona", "-c", "user.email=persona@localhost", ...args], {
      cwd: project,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "the project");
}

function put(project: string, path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, text);
  if (text.startsWith("#!")) chmodSync(file, 0o755);
}

/** What the user would run where the persona's user asks for nothing. */
const TESTS = "sh check.sh";

export const checkOf = ({ checks }: Persona): string => (checks.length > 0 ? checks : [TESTS]).join(" && ");

/** Whether the work is really done: the user's checks, run by the benchmark itself on the tests as they were. */
export function isReallyDone(persona: Persona, project: string): boolean {
  const declared = declaredBy(persona);
  for (const [path, text] of Object.entries(persona.project))
    if (/^test\/|^check\.sh$/.test(path) && !declared.includes(path)) put(project, path, text);
  return spawnSync("/bin/sh", ["-c", checkOf(persona)], { cwd: project, stdio: "ignore" }).status === 0;
}

/** The same while a system is at work, which must not notice. */
export function isDoneByNow(persona: Persona, project: string): boolean {
  const copy = mkdtempSync(join(tmpdir(), "until-done-"));
  try {
    cpSync(project, copy, { recursive: true });
    return isReallyDone(persona, copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Files that the model said beforehand it would change: what the user asked for changes them. */
function declaredBy(persona: Persona): readonly string[] {
  const { value } = persona.plays().next();
  const list = value?.calls?.find(({ tool }) => tool === "write_todos")?.input as { todos?: { touches?: string[] }[] };
  return list?.todos?.flatMap(({ touches = [] }) => touches) ?? [];
}

/**
 * What the user did not write, request by request: user messages that start the model on another turn are a nudge; those that
 * come along with the results of its own calls are a remark, which costs tokens and continues nothing.
 */
export function addedIn(requests: readonly ModelRequest[]): readonly { type: "nudge" | "remark"; text: string }[] {
  const [first, ...others] = requests.filter(isMain);
  if (!first) return [];
  let before = first;
  return others.flatMap((request) => {
    const news = newsIn(request, before);
    before = request;
    return news;
  });
}

function newsIn({ messages }: ModelRequest, before: ModelRequest) {
  const own = messages.findLastIndex(({ role }) => role === "assistant");
  const trailing = messages.slice(own + 1).filter(({ role }) => role === "user");
  const grown = countOf(messages, "user") - countOf(before.messages, "user");
  const isCompacted = messages.length < before.messages.length; // what was said before is a summary now
  if (own < 0 || (grown <= 0 && !isCompacted) || isSummary(messages[own]!.text)) return [];
  const hasNewResults = countOf(messages, "tool") > countOf(before.messages, "tool");
  const type = hasNewResults ? ("remark" as const) : ("nudge" as const);
  // Words without an answer stand before the new ones.
  const news = isCompacted ? trailing : trailing.slice(-grown);
  return news.length === 0 ? [] : [{ type, text: news.map(({ text }) => text).join("") }];
}

/** What a host says after its own summary belongs to its compaction. */
const isSummary = (text: string): boolean => text.includes("<summary>what was said</summary>");

const countOf = (messages: ModelRequest["messages"], of: string): number =>
  messages.filter(({ role }) => role === of).length;

/** What the requests of one cell come to. */
export function countsOf(requests: readonly ModelRequest[]) {
  const main = requests.filter(isMain);
  const added = addedIn(requests);
  const judged = requests.filter(judgeOf).length;
  return {
    requests: main.length,
    ...(judged > 0 && { judged }),
    nudges: added.filter(({ type }) => type === "nudge").length,
    added: added.reduce((sum, { text }) => sum + text.length, 0),
    opening: sizeOf(main[0]),
    sent: requests.reduce((sum, request) => sum + sizeOf(request), 0),
  };
}

const sizeOf = (request: ModelRequest | undefined): number => JSON.stringify(request?.body ?? "").length;
