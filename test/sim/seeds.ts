import { DEFAULTS, type Limits } from "../../src/core/continuation/index.ts";
import type { Trigger } from "../../src/core/react/index.ts";
import type { Action, PortMode, PortName } from "./action.ts";
import type { HostKind } from "./profile.ts";
import type { Setup } from "./setup.ts";
import type { History } from "./simulate.ts";

/** A history that once broke a promise. It must not do so again. */
export interface Kept extends Pick<History, "setup" | "actions"> {
  readonly name: string;
}

const on = (host: HostKind, limits: Partial<Limits> = {}, given: Partial<Setup> = {}): Setup => ({
  host,
  limits: { ...DEFAULTS, ...limits },
  budget: {},
  checks: [],
  requirements: [],
  ...given,
});

const PROMPT: Action = { do: "prompt", first: "words" };
const LIST: Action = { do: "write", write: { mode: "replace", todos: [{ text: "a" }] }, by: "model" };
const COUNTDOWN = { countdownMs: 3000 };
const FAR_AWAY: Partial<Setup> = { isFarAway: true };
const SLOW: Action = { do: "nudges from now on", how: "slow" };
const SETTLED = { do: "end", outcome: "completed", text: "Done.", tokens: 1, told: "once" } as const;
const LATE: Action = { do: "end", outcome: "completed", text: "Done.", tokens: 1, told: "late" };
const OVERLOADED: Action = { do: "end", outcome: "failed", failure: "overload", text: "", tokens: 1, told: "once" };
const pass = (ms: number): Action => ({ do: "pass", ms });
const attach = (session: string): Action => ({ do: "attach", session });
const say = (trigger: Trigger, from: "here" | "elsewhere" = "elsewhere"): Action => ({ do: "say", trigger, from });
const WORDS: Trigger = { type: "words.queue", words: { id: "m1", text: "Use tabs", kind: "steer" } };
const port = (name: PortName, how: PortMode): Action => ({ do: "port from now on", port: name, how });
const HOLD: Trigger = { type: "human.hold", now: false };

export const KEPT: readonly Kept[] = [
  {
    name: "a countdown of a run that was attached elsewhere was nobody's",
    setup: on("terminal", COUNTDOWN),
    actions: [PROMPT, LIST, SETTLED, attach("s2")],
  },
  {
    name: "a nudge on its way kept a run that was attached elsewhere from going on",
    setup: on("server"),
    actions: [PROMPT, LIST, SLOW, SETTLED, attach("s2"), { do: "finish", what: "nudge", well: false }],
  },
  {
    name: "a run that was attached and came back forgot the minimum gap",
    setup: on("server", { minimumGapMs: 20_000 }),
    actions: [
      PROMPT,
      LIST,
      SLOW,
      SETTLED,
      pass(3000),
      attach("s2"),
      attach("s1"),
      say({ type: "human.unhold" }, "here"),
    ],
  },
  {
    name: "words that a hook's host refused were tried again at once for ever",
    setup: on("claude-code", COUNTDOWN),
    actions: [
      { do: "words from now on", how: "refused" },
      PROMPT,
      LIST,
      SETTLED,
      say(WORDS),
      { do: "tell", trigger: { type: "mode.changed", readOnly: true }, told: "once" },
    ],
  },
  {
    name: "two hooks answered each other's failures for ever",
    setup: on("claude-code"),
    actions: [
      LIST,
      say(WORDS, "here"),
      { do: "words from now on", how: "refused" },
      PROMPT,
      SETTLED,
      { do: "tell", trigger: { type: "compaction.began" }, told: "twice" },
    ],
  },
  {
    name: "the echo of an old turn's end let go of the wrong boundary",
    setup: on("print", COUNTDOWN),
    actions: [LIST, PROMPT, LATE, PROMPT, SETTLED, say(HOLD), { do: "arrive", which: 0 }],
  },
  {
    name: "an end that could not be recorded let go of the boundary that was held",
    setup: on("print"),
    actions: [PROMPT, LIST, LATE, PROMPT, OVERLOADED, { do: "store fails", times: 1 }, { do: "arrive", which: 0 }],
  },
  {
    name: "what became of a nudge was lost with one failed write",
    setup: on("server"),
    actions: [
      PROMPT,
      LIST,
      SLOW,
      SETTLED,
      { do: "store fails", times: 2 },
      { do: "finish", what: "nudge", well: false },
    ],
  },
  {
    name: "a wind-down that another turn overtook was granted twice",
    setup: on("server", {}, { budget: { continuations: 1 } }),
    actions: [
      PROMPT,
      LIST,
      SETTLED,
      SLOW,
      SETTLED,
      { do: "begin by itself", told: "once" },
      { do: "finish", what: "nudge", well: true },
      SETTLED,
      SETTLED,
    ],
  },
  {
    name: "a hold told to a hook was decided only at the next event",
    setup: on("claude-code"),
    actions: [PROMPT, LIST, OVERLOADED, { do: "crash" }, say(HOLD, "here")],
  },
  {
    name: "a hook that leaves after its answer began checks that nobody saw the end of",
    setup: on("claude-code", COUNTDOWN, { checks: [{ run: "test the whole", by: "human" }] }),
    actions: [
      PROMPT,
      LIST,
      SETTLED,
      { do: "checks from now on", how: "slow" },
      { do: "edit", edit: { action: "abandon", indices: [0], reason: "because" }, by: "subagent" },
    ],
  },
  {
    name: "a process that lost its claim went on driving on the human's word",
    setup: on("server"),
    actions: [
      { do: "start", what: "workflow" },
      PROMPT,
      { do: "second driver", goOn: false, takesOver: false },
      say({ type: "human.interrupt", how: "key" }, "here"),
    ],
  },
  {
    name: "an interactive process that took the run over started a turn by itself",
    setup: on("terminal"),
    actions: [LIST, PROMPT, { do: "crash" }, { do: "come back", goOn: false }, pass(10_000)],
  },
  {
    name: "a phase entered on the human's word did not take up what was interrupted",
    setup: on("claude-code"),
    actions: [
      { do: "start", what: "workflow" },
      say({ type: "human.interrupt", how: "key" }),
      PROMPT,
      { do: "step", action: "next" },
      SETTLED,
    ],
  },
  {
    name: "the late end of a turn from before the run counted as the delivery of a nudge on its way",
    setup: on("print"),
    actions: [
      PROMPT,
      LIST,
      LATE,
      say({ type: "human.clear" }, "here"),
      { do: "go back", which: 0 },
      { do: "second driver", goOn: false, takesOver: true },
      SLOW,
      say({ type: "human.resume" }, "here"),
      { do: "arrive", which: 0 },
    ],
  },
  {
    name: "so it did where a hook had died before its answer was out",
    setup: on("gemini"),
    actions: [
      PROMPT,
      LATE,
      { do: "start", what: "workflow" },
      { do: "prompt", first: "turn" },
      { ...SETTLED, hookDies: "before" },
    ],
  },
  {
    name: "a process that took the run over by a nudged turn called the nudge lost, and it went out twice",
    setup: on("print", COUNTDOWN),
    actions: [
      LIST,
      attach("s2"),
      { do: "die after writing", times: 2 },
      PROMPT,
      { do: "come back", goOn: true },
      attach("s1"),
      { do: "second driver", goOn: true, takesOver: false },
      { do: "die after writing", times: 2 },
      pass(3000),
      { do: "come back", goOn: true },
      say({ type: "human.extend", budget: { tokens: 100 } }),
    ],
  },
  {
    name: "a message whose prompt hook died before its answer was out was taken for heard by a host that keeps no transcript",
    setup: on("codex", { idleTurns: 1 }, { keepsTranscript: false }),
    actions: [
      { do: "start", what: "goal" },
      say({ type: "human.hold", now: false }, "here"),
      say({ type: "words.queue", words: { id: "w", text: "Use tabs", kind: "steer" } }, "here"),
      { do: "prompt", first: "turn" },
      { do: "end", outcome: "failed", failure: "overload", text: "Done.", tokens: 1, told: "twice", hookDies: "after" },
      say({ type: "human.unhold" }),
      { do: "prompt", first: "words", hookDies: "before" },
    ],
  },
  {
    name: "a run that was attached elsewhere before its process heard of the unhold rested for an interrupt that was over",
    setup: on("remote", { countdownMs: 0, minimumGapMs: 0 }),
    actions: [
      { do: "die after writing", times: 1 },
      { do: "start", what: "workflow" },
      { do: "come back", goOn: true },
      LIST,
      { do: "end", outcome: "aborted", text: "Done.", tokens: 1, told: "once" },
      say({ type: "human.unhold" }),
      attach("s2"),
      { do: "edit", edit: { action: "complete", indices: [0] }, by: "model" },
    ],
  },
  {
    name: "that words were taken could not be written down, and the run waited for them for good",
    setup: on("print", { idleTurns: 2, countdownMs: 0, minimumGapMs: 20_000, backoffTries: 0 }),
    actions: [
      LIST,
      { do: "words from now on", how: "slow" },
      say({ type: "human.resume", words: { id: "w", text: "Go on", kind: "steer" } }),
      PROMPT,
      { do: "end", outcome: "completed", text: "Done.", tokens: 60, told: "once" },
      { do: "store fails", times: 2 },
      { do: "finish", what: "words", well: true },
    ],
  },
  {
    name: "a nudge went to a busy session where the clock was set back before it said so",
    setup: on("server", { countdownMs: 0, backoffTries: 0 }),
    actions: [
      PROMPT,
      LIST,
      { do: "rechecks from now on", how: "busy" },
      { do: "end", outcome: "completed", text: "Done.", tokens: 50, told: "once" },
      { do: "step back", ms: 60_000 },
      { do: "pass", ms: 0 },
    ],
  },
  {
    name: "a nudge left beside words that were on their way when the branch was taken back",
    setup: on("server", { countdownMs: 0, minimumGapMs: 0, backoffTries: 0 }),
    actions: [
      PROMPT,
      LIST,
      { do: "edit", edit: { action: "complete", indices: [0] }, by: "model" },
      { do: "end", outcome: "completed", text: "Done.", tokens: 50, told: "once" },
      say({ type: "words.queue", words: { id: "w", text: "Use tabs", kind: "follow-up" } }),
      { do: "go back", which: 0 },
    ],
  },
  {
    name: "the late end of a turn from before the run counted as the delivery of a message that a hook died with",
    setup: on("qwen", { countdownMs: 0, minimumGapMs: 0 }, { keepsTranscript: false }),
    actions: [
      PROMPT,
      LATE,
      LIST,
      say(WORDS),
      { do: "die after writing", times: 3 },
      { do: "prompt", first: "turn" },
      { do: "end", outcome: "failed", failure: "refused", text: "", tokens: 1, told: "once" },
    ],
  },
  {
    name: "the end of a turn from before the run came before its beginning, and the world blamed the run for believing in it",
    setup: on("remote"),
    actions: [
      { do: "begin by itself", told: "late" },
      LATE,
      { do: "start", what: "goal" },
      PROMPT,
      { do: "arrive", which: 1 },
    ],
  },
  {
    name: "a nudge that waited for the log to be safe went to a session that the run had left",
    setup: on("terminal", COUNTDOWN, FAR_AWAY),
    actions: [
      LIST,
      { do: "crash" },
      { do: "come back", goOn: true },
      port("barrier", "slow"),
      pass(6000),
      attach("s2"),
    ],
  },
  {
    name: "an echo of the end let go of a nudge that waited for the log to be safe",
    setup: on("print", { countdownMs: 0, minimumGapMs: 0 }, FAR_AWAY),
    actions: [PROMPT, LIST, port("barrier", "slow"), { ...SETTLED, told: "twice" }],
  },
  {
    name: "words that waited for the log to be safe were lost when the next turn came first",
    setup: on("json", COUNTDOWN, FAR_AWAY),
    actions: [PROMPT, LIST, SETTLED, port("barrier", "slow"), say(WORDS), pass(6000), PROMPT, SETTLED],
  },
  {
    name: "words that waited for the log to be safe left twice, from a process that had lost its claim as well",
    setup: on("json", {}, FAR_AWAY),
    actions: [
      LIST,
      port("barrier", "slow"),
      { do: "second driver", goOn: false, takesOver: true },
      say(WORDS, "here"),
      { do: "second driver", goOn: true, takesOver: true },
    ],
  },
  {
    name: "the echo of a turn's beginning overtook its end while the files were looked at, and nothing carried the decision",
    setup: on("supervised", COUNTDOWN),
    actions: [LIST, PROMPT, port("look", "slow"), SETTLED, { do: "echo", which: 1 }],
  },
  {
    name: "words were called sent with an end that the next turn overtook",
    setup: on("remote", {}, { takesCheckpoints: true }),
    actions: [port("checkpoint", "slow"), { do: "start", what: "workflow" }, PROMPT, SETTLED, say(WORDS), PROMPT],
  },
  {
    name: "a prompt overtook an end that could not be written down, and the host waited for good",
    setup: on("library", {}, { takesCheckpoints: true }),
    actions: [
      { do: "start", what: "workflow" },
      port("checkpoint", "slow"),
      PROMPT,
      SETTLED,
      { do: "store fails", times: 2 },
      PROMPT,
    ],
  },
  {
    name: "a checkpoint that the run would not have was taken again and again",
    setup: on("library", {}, { takesCheckpoints: true }),
    actions: [
      { do: "start", what: "workflow" },
      port("checkpoint", "slow"),
      { do: "step", action: "next" },
      SETTLED,
      say({ type: "human.clear" }, "here"),
      attach("s2"),
      PROMPT,
    ],
  },
  {
    name: "a nudge that waited for the log to be safe left beside a message that you sent in another process",
    setup: on("library", { countdownMs: 0, minimumGapMs: 0 }, FAR_AWAY),
    actions: [
      LIST,
      port("barrier", "slow"),
      { do: "second driver", goOn: true, takesOver: false },
      pass(250),
      { do: "prompt", first: "turn" },
    ],
  },
  {
    name: "a nudge that waited for the log to be safe went to a session that had begun to work",
    setup: on("server", { countdownMs: 0, minimumGapMs: 0 }, FAR_AWAY),
    actions: [
      LIST,
      PROMPT,
      port("barrier", "slow"),
      SETTLED,
      pass(0),
      { do: "begin by itself", told: "late" },
      { do: "finish", what: "port", well: true },
    ],
  },
  {
    name: "a turn ended before the hook of its prompt had answered, and its beginning came to the run after it",
    setup: on("hasty", {}, { takesCheckpoints: true }),
    actions: [
      { do: "start", what: "workflow" },
      port("checkpoint", "slow"),
      { do: "prompt", first: "turn" },
      { do: "work", state: "new", call: "none" },
      SETTLED,
      PROMPT,
      SETTLED,
      say({ type: "human.clear" }),
      { do: "mirror", items: [{ text: "a", status: "in_progress" }] },
      PROMPT,
    ],
  },
  {
    name: "the hook of a prompt said a message after its turn had ended, and the next one said it again",
    setup: on("hooked", {}, { takesCheckpoints: true }),
    actions: [
      LIST,
      port("checkpoint", "slow"),
      PROMPT,
      say({ type: "human.resume", words: { id: "w", text: "Go on", kind: "steer" } }, "here"),
      { do: "mirror", items: [{ text: "b", status: "in_progress" }] },
      SETTLED,
      { do: "finish", what: "port", well: true },
      { do: "finish", what: "port", well: true },
      PROMPT,
      { do: "mirror", items: [{ text: "c", status: "in_progress" }] },
      { do: "finish", what: "port", well: true },
      { do: "finish", what: "port", well: true },
    ],
  },
  {
    name: "a list came late to a session that its run had left, and the nudge of the new run was taken for the old one's",
    setup: on("remote", COUNTDOWN, { takesCheckpoints: true }),
    actions: [
      { do: "start", what: "workflow" },
      attach("s2"),
      port("checkpoint", "slow"),
      { do: "go back", which: 5 },
      { do: "prompt", first: "turn" },
      { ...SETTLED, told: "twice" },
      PROMPT,
      LIST,
      SETTLED,
      attach("s1"),
    ],
  },
  {
    name: "a host that keeps saying what no longer counts kept a nudge back for ever",
    setup: on("server", { countdownMs: 0, minimumGapMs: 0 }, FAR_AWAY),
    actions: [LIST, PROMPT, { do: "rechecks from now on", how: "awaits agents" }, SETTLED, pass(250), pass(2_000_000)],
  },
  {
    name: "a nudge that waited for the log to be safe left for a run that you had cleared",
    setup: on("terminal", { countdownMs: 0, minimumGapMs: 0 }, FAR_AWAY),
    actions: [
      LIST,
      PROMPT,
      port("barrier", "slow"),
      SETTLED,
      pass(0),
      say({ type: "human.clear" }),
      { do: "finish", what: "port", well: true },
    ],
  },
  {
    name: "a turn waited for the look at the end that it had overtaken, and nobody carried that end's decision",
    setup: on("supervised hooks", { countdownMs: 0, minimumGapMs: 0 }),
    actions: [
      { do: "begin by itself", told: "once" },
      LIST,
      port("look", "slow"),
      SETTLED,
      { do: "begin by itself", told: "once" },
    ],
  },
  {
    name: "a process that had lost its claim took the next run over with the end of a turn that it had looked at",
    setup: on("supervised", { countdownMs: 0, minimumGapMs: 0 }),
    actions: [
      LIST,
      port("look", "slow"),
      { do: "prompt", first: "turn" },
      { do: "step", action: "next" },
      { do: "end", outcome: "failed", failure: "rate_limit", resetInMs: 0, text: "", tokens: 1, told: "once" },
      { do: "second driver", goOn: true, takesOver: true },
      { do: "prompt", first: "turn" },
      { do: "finish", what: "port", well: true },
      { do: "finish", what: "port", well: true },
      say({ type: "human.clear" }),
      LIST,
    ],
  },
  {
    name: "the nudge of a run that had lost its session to another one was looked for in that session",
    setup: on("loop", { countdownMs: 0 }, { checks: [{ run: "test the whole", by: "human" }] }),
    actions: [
      { do: "start", what: "workflow" },
      PROMPT,
      port("guard", "slow"),
      LIST,
      SETTLED,
      attach("s2"),
      { do: "finish", what: "port", well: false },
      attach("s1"),
    ],
  },
  {
    name: "a process that the world had forgotten took a run over with a goal that had waited",
    setup: on("print", { countdownMs: 0 }),
    actions: [
      port("look", "slow"),
      PROMPT,
      SETTLED,
      { do: "write", write: { mode: "replace", todos: [{ text: "a", needs: [1] }] }, by: "model" },
      { do: "start", what: "goal" },
      PROMPT,
      { do: "second driver", goOn: true, takesOver: true },
      { do: "finish", what: "port", well: true },
      { do: "start", what: "goal" },
      { do: "finish", what: "port", well: false },
      { do: "finish", what: "port", well: true },
    ],
  },
  {
    name: "a message whose delivery could not be written down was heard by the agent of another session, too",
    setup: on("supervised hooks", COUNTDOWN),
    actions: [
      PROMPT,
      { do: "mirror", items: [{ text: "", status: "in_progress" }] },
      { do: "words from now on", how: "slow" },
      SETTLED,
      say(WORDS, "here"),
      { do: "store fails", times: 2 },
      { do: "finish", what: "words", well: true },
      SETTLED,
      attach("s2"),
      say({ type: "words.queue", words: { id: "m2", text: "Use tabs", kind: "steer" } }, "here"),
    ],
  },
  {
    name: "the end of a turn was kept from a run that the list before it had begun",
    setup: on("server", { countdownMs: 0, minimumGapMs: 0 }),
    actions: [
      PROMPT,
      port("look", "slow"),
      { ...SETTLED, told: "twice" },
      { do: "start", what: "workflow" },
      { do: "finish", what: "port", well: true },
      { do: "prompt", first: "turn" },
      LIST,
      SETTLED,
      { do: "prompt", first: "turn" },
      { do: "finish", what: "port", well: true },
      { do: "finish", what: "port", well: true },
      { ...SETTLED, told: "twice" },
      say({ type: "human.clear" }, "here"),
    ],
  },
];
