/** One way a host surprises an author of hooks, and the tests that would notice. */
export interface Trap {
  readonly hosts: "all" | readonly ("claude-code" | "codex" | "gemini")[];
  readonly trap: string;
  /** `file: name of the test`; a name may stop before its first parameter. */
  readonly tests: readonly string[];
}

const HOOK = "src/hooks/answer-hook.test.ts";
const INSTALL = "src/hooks/install/install.test.ts";
const DOCTOR = "src/hooks/doctor/doctor.test.ts";
const PROCESS = "src/agent/supervisor/failure-in.test.ts";
const SUITE = "test/hosts/hook-suite.ts";
const SUPERVISED = "test/hosts/supervised-suite.ts";
const TRAPS = "test/hosts/traps.test.ts";
const GEMINI = "test/hosts/gemini.test.ts";

const BOTH = ["claude-code", "codex"] as const;

/** Every trap we know of. `test/traps.test.ts` holds that each has its tests. */
export const KNOWN_TRAPS: readonly Trap[] = [
  {
    hosts: "all",
    trap: "A word before the JSON, and the answer is no answer.",
    tests: [
      `${SUITE}: of %i is finished by a model that stops after every item`,
      `${HOOK}: what a stop prints has no field`,
    ],
  },
  {
    hosts: "all",
    trap: "A stop hook that crashes, is late or is cut off lets the agent stop with open work.",
    tests: [`${TRAPS}: a stop hook that %s ends the turn, and a supervisor sees what is open`],
  },
  {
    hosts: "all",
    trap: "A hook before a tool that crashes, is late or is cut off lets the tool run: a gate is no wall.",
    tests: [`${TRAPS}: a hook before a tool that %s lets the tool run`],
  },
  {
    hosts: "all",
    trap: "To allow is to print nothing; an empty answer has sent agents round in circles.",
    tests: [`${HOOK}: a session without a list is left alone`, `${HOOK}: an agent that stops after every item`],
  },
  {
    hosts: "all",
    trap: "No host ends an agent that says ok forever in time; Claude Code would after eight.",
    tests: [`${SUITE}: is given up after three idle turns by a model that only says ok`],
  },
  {
    hosts: "all",
    trap: "A cheap call forever looks like work to the hosts' own limits.",
    tests: [
      `${HOOK}: the same cheap call forever does not keep it going`,
      "test/hosts/persona-suite.ts: a model that %s",
    ],
  },
  {
    hosts: "all",
    trap: "Hooks of calls that run at once run at once.",
    tests: [`${TRAPS}: two calls at once are both seen`],
  },
  {
    hosts: "all",
    trap: "Timeouts are seconds in Claude Code and Codex, milliseconds in Gemini CLI.",
    tests: [`${INSTALL}: the hooks stand beside those of others, with the timeout in the host's unit`],
  },
  {
    hosts: "all",
    trap: "A gate that refuses our own tools, or the host's goals, can never be satisfied.",
    tests: [
      `${HOOK}: our own tools and the host's own lists and goals are never refused`,
      `${SUITE}: a tool that the phase has no room for is refused with the reason; ours and the stop are not`,
    ],
  },
  {
    hosts: "all",
    trap: "Between a signal and the end of the host a stop hook may still send the agent on.",
    tests: [`${SUPERVISED}: a signal is written down before the host hears of it, and nothing continues`],
  },
  {
    hosts: "all",
    trap: "A signal leaves no stop behind: without its own word the run would seem to continue, or done.",
    tests: [
      `${SUITE}: a signal to the host is an interrupt in the log`,
      `${HOOK}: a session that ends within a turn is not left open`,
    ],
  },
  {
    hosts: ["codex"],
    trap: "One unknown field or an empty reason, and the whole answer is void; a long one loses its middle.",
    tests: [`${HOOK}: what a stop prints has no field that Codex does not know, and is never too long`],
  },
  {
    hosts: ["codex"],
    trap: "Hooks that are untrusted, changed or switched off are skipped without a word.",
    tests: [
      `${TRAPS}: hooks that were not reviewed are skipped in silence, and doctor says so`,
      `${DOCTOR}: Codex, %s`,
    ],
  },
  {
    hosts: ["codex"],
    trap: "Trust is of the very bytes of a hook, and of its place in the file.",
    tests: [
      `${INSTALL}: Codex trusts the very bytes of a hook`,
      `${INSTALL}: installing twice changes nothing more`,
      `${INSTALL}: the hooks stand beside those of others`,
    ],
  },
  {
    hosts: ["codex"],
    trap: "One file written below a plugin switches all its hooks off.",
    tests: [`${TRAPS}: a session writes nothing below the plugin`],
  },
  {
    hosts: ["codex"],
    trap: "A resumed session forgets its sandbox mode.",
    tests: [`${SUPERVISED}: a rate limit ends the process or holds it up, and the run continues`],
  },
  {
    hosts: ["codex"],
    trap: "The same hook for the user and in the project runs twice.",
    tests: [
      `${TRAPS}: installed for the user and in the project, a stop is decided once`,
      `${HOOK}: Codex: the same stop told twice is answered once`,
    ],
  },
  {
    hosts: ["codex"],
    trap: "Without a terminal, tools of a server are refused unless its table approves them.",
    tests: [`${SUITE}: of %i is finished by a model that stops after every item`],
  },
  {
    hosts: ["codex"],
    trap: "Tools of servers are hidden behind a search.",
    tests: [`${HOOK}: Codex hides tools behind a search, so a new session hears their names`],
  },
  {
    hosts: ["codex"],
    trap: "Outside a repository its calls name no folder.",
    tests: ["test/hosts/plugins.test.ts: the plugin in Codex works outside a repository"],
  },
  {
    hosts: ["claude-code"],
    trap: "It ends with 0 and no result when it gave up on a hook, and calls a failed turn a success.",
    tests: [`${PROCESS}: %s: %s`, `${TRAPS}: a stop hook that %s ends the turn, and a supervisor sees what is open`],
  },
  {
    hosts: ["claude-code"],
    trap: "That a turn failed may be told late, even after the end of the session.",
    tests: [
      `${HOOK}: Claude Code: a failure ends the turn, early or late; a late one of an old prompt ends nothing`,
      "src/engine/engine.test.ts: a late event of a hook leaves the wait to the supervisor that carries it",
    ],
  },
  {
    hosts: ["claude-code"],
    trap: "A stop while agents work in the background is none, and what wakes it is not the user.",
    tests: [`${HOOK}: Claude Code: no block while its agents work in the background, and none in plan mode`],
  },
  {
    hosts: ["claude-code"],
    trap: "Its stop hook runs in plan mode, too.",
    tests: [`${TRAPS}: in plan mode nothing is told to continue`],
  },
  {
    hosts: BOTH,
    trap: "What the agent was told is gone after a compaction.",
    tests: [`${SUITE}: the list is told again after a compaction`],
  },
  {
    hosts: ["claude-code"],
    trap: "A server that starts slowly is missing from the first request.",
    tests: [`${TRAPS}: a server that starts slowly is in the first request all the same`],
  },
  {
    hosts: ["claude-code"],
    trap: "The result of a call whose id was used before is dropped, also over a resume.",
    tests: [`${SUITE}: is kept over a resume, with its counters`],
  },
  {
    hosts: BOTH,
    trap: "A matcher for a server's tools must end in `__.*`; ours have none and see every tool.",
    tests: [`${SUITE}: hold --now refuses the next call, and the agent hears why`],
  },
  {
    hosts: BOTH,
    trap: "To end a turn before a tool is not to refuse the tool; only a refusal is.",
    tests: [`${SUITE}: hold --now refuses the next call, and the agent hears why`],
  },
  {
    hosts: BOTH,
    trap: "Subagents share the session, and Codex tells of their prompts.",
    tests: [`${HOOK}: a subagent changes no counter, and may not write the list`],
  },
  {
    hosts: ["claude-code"],
    trap: "A `test` or `grep` that said no is no failure to it, and a call that was refused has a result.",
    tests: [`${HOOK}: a check that you did not allow, run by the agent`, `${SUITE}: the agent's own run of a check`],
  },
  {
    hosts: ["gemini"],
    trap: "After its loop detector the stop hook spins without the model.",
    tests: [`${GEMINI}: its loop detector: the run says so, and is not sent on`],
  },
  {
    hosts: ["gemini"],
    trap: "What it says of earlier blocks is forgotten with every call; our counters are not.",
    tests: [`${HOOK}: counters outlive every process: the breaker counts over a resume`],
  },
  {
    hosts: ["gemini"],
    trap: "It calls the prompt hook for our own answer: that is not the user.",
    tests: [`${SUITE}: is given up after three idle turns by a model that only says ok`],
  },
  {
    hosts: ["gemini"],
    trap: "Context at the start of a session breaks commands.",
    tests: [`${TRAPS}: a command of the extension is still a command`],
  },
  {
    hosts: ["gemini"],
    trap: "Without a terminal it hides its own write_todos, and ours with it.",
    tests: [`${TRAPS}: our tools are offered without a word that allows everything`],
  },
  {
    hosts: ["gemini"],
    trap: "In plan mode our tools are missing, so a block could never be satisfied.",
    tests: [
      `${TRAPS}: in plan mode, where our tools are missing, nothing is told to continue`,
      `${TRAPS}: plan mode from the start does not show, and our own limit ends it`,
    ],
  },
  {
    hosts: ["gemini"],
    trap: "Its exit code is the status of the provider modulo 256, and 0 after a signal.",
    tests: [`${PROCESS}: %s: %s`, `${SUPERVISED}: a signal is written down before the host hears of it`],
  },
  {
    hosts: ["gemini"],
    trap: "What it calls compaction happens before every request.",
    tests: [`${GEMINI}: after a compaction the next nudge tells what is open`],
  },
];
