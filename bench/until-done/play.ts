import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
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
import { RUNAWAY } from "./cell.ts";

/** Requests that hosts make on the side use up no step: for a title, which bring no tools, or for a summary of what was said. */
export const isMain = ({ tools, messages }: ModelRequest): boolean =>
  tools.length > 0 && !SUMMARY.test(messages.at(-1)?.text ?? "");
const SUMMARY = /CONTEXT CHECKPOINT|create a (detailed )?summary of the conversation|<state_snapshot>/i;

export interface Directions {
  readonly toolOf: (call: PersonaCall) => Call;
  /** Ends the host as a human would. */
  readonly abort: () => void;
  /** How much the model says that it read when the host should compact its context. */
  readonly fullAt?: number | undefined;
}

/**
 * The persona's script, bounded: whoever asks on and on is counted and ended. Where the human aborts, the model keeps the
 * host waiting and `abort` is called.
 */
export function boundedScript(persona: Persona, { toolOf, abort, fullAt }: Directions): Script {
  let meanwhile: Meanwhile | undefined;
  const watched: Persona = {
    ...persona,
    *plays() {
      const plays = persona.plays();
      for (let next = plays.next(); !next.done; ) {
        meanwhile = next.value.meanwhile;
        next = plays.next(yield next.value);
      }
    },
  };
  const script = scriptOf(watched, toolOf) as Exclude<Script, readonly Step[]>;
  let count = 0;
  return (request) => {
    if (!isMain(request)) return { text: "<summary>A title</summary>" };
    if (++count > RUNAWAY) return { status: 400, message: "the benchmark ends this runaway" };
    meanwhile = undefined;
    const step = script(request, count);
    if (happens(meanwhile, "host compacts")) return { ...step, usage: { input: fullAt ?? 0, output: 10 } };
    if (happens(meanwhile, "human aborts")) {
      abort();
      return { ...step, after: new Promise(() => {}) };
    }
    // An hour of a rate limit is a second here.
    return step.headers?.["retry-after"] ? { ...step, headers: { "retry-after": "1" } } : step;
  };
}

/** The script sets it between two looks, which a compiler does not see. */
const happens = (is: Meanwhile | undefined, what: Meanwhile): boolean => is === what;

/** Why a persona cannot be played by a program that is started with a prompt and left alone. */
export function needs(persona: Persona, fullAt?: number): string | undefined {
  if (persona.workflow) return "a workflow is started by a human in the host";
  const plays = persona.plays();
  for (let count = 0; count < 20; count++) {
    const { value, done } = plays.next({ user: "", results: [], turn: 1 });
    if (done) return undefined;
    if (value.meanwhile === "agent works on") return "needs an agent in the background of the host";
    if (value.meanwhile === "host compacts" && fullAt === undefined)
      return "needs a compaction at one moment, which no script brings about in this host";
  }
  return undefined;
}

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

/** What the human would run where the persona's human asks for nothing. */
const TESTS = "sh check.sh";

/** Whether the work is really done: the human's checks, run by the benchmark itself on the tests as they were. */
export function isReallyDone(persona: Persona, project: string): boolean {
  const declared = declaredBy(persona);
  for (const [path, text] of Object.entries(persona.project))
    if (/^test\/|^check\.sh$/.test(path) && !declared.includes(path)) put(project, path, text);
  const checks = persona.checks.length > 0 ? persona.checks : [TESTS];
  return checks.every((check) => spawnSync("/bin/sh", ["-c", check], { cwd: project, stdio: "ignore" }).status === 0);
}

/** Files that the model said beforehand it would change: what the human asked for changes them. */
function declaredBy(persona: Persona): readonly string[] {
  const { value } = persona.plays().next();
  const list = value?.calls?.find(({ tool }) => tool === "write_todos")?.input as { todos?: { touches?: string[] }[] };
  return list?.todos?.flatMap(({ touches = [] }) => touches) ?? [];
}

/**
 * What the human did not write: a user message that starts the model on another turn is a nudge; one that comes along with
 * the results of its own calls is a remark, which costs tokens and sends nobody on.
 */
export function addedIn(requests: readonly ModelRequest[]): readonly { type: "nudge" | "remark"; text: string }[] {
  const [first, ...others] = requests.filter(isMain);
  if (!first) return [];
  let before = first;
  let users = countOf(first, "user");
  return others.flatMap((request) => {
    const type = countOf(request, "tool") > countOf(before, "tool") ? ("remark" as const) : ("nudge" as const);
    const news = request.messages.filter(({ role }) => role === "user").slice(users);
    users = Math.max(users, countOf(request, "user"));
    before = request;
    return news.map(({ text }) => ({ type, text }));
  });
}

const countOf = ({ messages }: ModelRequest, of: string): number => messages.filter(({ role }) => role === of).length;

/** What the requests of one cell come to. */
export function countsOf(requests: readonly ModelRequest[]) {
  const main = requests.filter(isMain);
  const added = addedIn(requests);
  return {
    requests: main.length,
    nudges: added.filter(({ type }) => type === "nudge").length,
    added: added.reduce((sum, { text }) => sum + text.length, 0),
    opening: JSON.stringify(main[0]?.body ?? "").length,
  };
}
