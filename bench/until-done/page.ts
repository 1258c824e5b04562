import { agreement, brokenPromises } from "./agreement.ts";
import { comparison } from "./comparison.ts";
import { PATIENCE } from "./requests-due.ts";
import type { Results } from "./results.ts";
import { isSame, named } from "./source.ts";
import { costs, dueTable, markdown, SIGNS, SUMMARY_LEGEND, summary } from "./table.ts";
import { RUNAWAY, VERDICTS, YARDSTICKS } from "./verdict.ts";

/** The page of one run. */
export function page(results: Results): string {
  const { run, rows } = results;
  return `# Side by side

<!-- Printed by \`npm run bench:until-done -- --plot\` from benchmark.json; do not edit. -->

The same scripted models on real hosts, with and without tildone. A model is a persona (\`src/testing/personas\`): a script that
works, stops early, claims, errs or never ends. A cell is one real process in a folder of its own, with its model on loopback.

${run.cells} cells of commit ${named(run.source)}, begun ${run.begun.slice(0, 16).replace("T", " ")} UTC, on ${run.machine.cpus} cores (${run.machine.platform} ${run.machine.arch}, Node ${run.machine.node}). All are of
this one state of the code; the [raw results](benchmark.json) hold every play. ${agreement(results)}

${promises(results)}

![good, faulty and unfinished cells of each system](benchmark.svg)

${summary(results)}

${SUMMARY_LEGEND}

## Where others are as good, or better

${comparison(results)}

All of this is counted from the cells below. *Good* are good cells by that yardstick, theirs first. *Better* are cells with a better verdict. *Stops
sooner* are models that never finish and were stopped after fewer requests, even if nothing was said about it: a host that never continues stops all
of them at once. *Tokens sent* are those of all requests in the cells that are good with both, theirs first: what tildone costs where it is not
needed. Seconds and memory are those of a model that does what is asked.

## Every cell

${SIGNS}
In brackets: model requests. Under *should* they are the fewest that finish the work plus one for each early stop, or the most after which
a model that never finishes must be stopped.

${markdown(results)}

## What it costs

${costs(results)}

${costsNote(results)}

## How it is judged

Everybody by the same three yardsticks:

${Object.entries(YARDSTICKS)
  .map(([name, says]) => `- **${name}**: ${says}.`)
  .join("\n")}

A host with tildone in it still exits with its own code, so that a script around it cannot trust that code: \`tildone run\` and
\`tildone run --host\` are what a script starts. tildone promises what a person sees and what the files say everywhere, and the exit
code where the process is its own.

- **Finished**: the check passes at the end. The benchmark runs it itself, on the tests as they were at the beginning
  (those aside that the model declared it would change).
- **The check** is named to every system in what it is asked ("It is done when ... succeeds"); a goal mode has it in its goal, a loop runs it,
  tildone has it in its configuration.
- **Requests**: each answer of a script is one. An answer that ends the turn with work left, or fails, is an early stop: it must be
  followed by one request more, which no system can avoid. Beyond that is *asked too often*. A model that gets nowhere must be stopped within
  ${PATIENCE} requests; where a provider never recovers, each host retries as often as it is shipped to. At ${RUNAWAY} requests the benchmark ends it. None of
  these limits is one of tildone's: it stops earlier.
- **Nudges**: user messages that the person did not write and that start another turn of the model; several at once are one. One for each
  early stop is due, two where the model asks the person something, none after an abort, and none while an agent in the background is at work.
- Every system runs with the pauses and retries it is shipped with; only an hour of a rate limit is a second here, for all. A process that asks
  the model nothing for 45 seconds rests: it has stopped, and a script that waits for its exit still waits.
- An abort is SIGINT while the model keeps the host waiting. A host that then exits with 0 says that it is done.
- *Is stopped with Esc in its terminal* is played on the host's own screen in tmux, wherever it has one: a person presses the key while the model
  keeps the host waiting, and looks for ten seconds. Gemini CLI then tells the model by itself that its answer was empty, with or without tildone;
  that request is not counted. In Claude Code the prompt is typed there, with and without tildone: given on the command line, its terminal asks the
  model before any server is up, and the model has no list tool yet.
- What says "working" or "compacting" of a process that is gone has *no word* for it, and is not good. "cut off" and "left" say that the host ended in the
  middle of a turn; the reason is the host's own, and not every host tells it. A person looks five seconds after the end at the latest.
- Codex lets no hook end a turn (0.166: \`continue: false\` before a call is ignored, after one it replaces the result). With tildone in it every call of
  a runaway is refused from the limit on, and \`tildone why\` says \`no_progress\`; a model that calls on regardless still asks until the process is
  ended, which \`tildone run --host codex\` does.
- Codex with tildone is told to wait for our server (\`mcp_servers.tildone.required\`): on a busy machine it asks the model before a server is up.
- **oh-my-openagent** is started by its own runner (\`oh-my-opencode run\`), which waits until its list is done: in \`opencode run\` a plugin that
  prompts an idle session is not answered any more. Both plugins are also played in a session of \`opencode serve\` with \`--full\`.
- **Claude Code /goal** asks a model whether the goal is reached. Here that is answered by the check itself, so it never errs: no real
  judge is better. Its requests are in the tokens, not in the requests.
- **Claude Code in a loop** is asked the same in a fresh conversation until the check passes, ten times at the most.
- **Codex goal** is a thread of \`codex app-server\`, because \`codex exec\` does not continue by itself. The model says that the goal is reached
  when it ticks off the last of its list. SIGINT interrupts the turn.
- **Qwen Code /goal** asks a model whether the goal is reached once the agent says so, and here the agent says so when it ticks off the last of its
  list. That is answered by the check itself, too. What it prints of its goal (*paused*) counts as what a person can see.
- Codex and Qwen Code are shipped with their own list tool switched off. Where they are played without tildone it is switched on
  (\`tools.update_plan.enabled\`, \`tools.todoWrite.enabled\`), so that a person has a list to read.
- Gemini CLI, OpenCode and pi have no goal mode of their own.

Some personas are what the peers test themselves: *never ends its turn* is what Gemini CLI's loop detection is for; *stops after each todo*,
*says ok*, *is aborted by the human*, *waits for background work* and *overflows its context and is compacted* are the cases of
oh-my-openagent's todo continuation; *claims completion too early* is what goal modes and loops are for.

${Object.entries(VERDICTS)
  .map(([name, says]) => `- **${name}**: ${says}`)
  .join("\n")}

<details><summary>Requests that each persona calls for</summary>

${dueTable(rows)}

</details>

## What it is not

The models are scripts: they show what the mechanism around a model does, not how good a model is. Apart from one row hosts are
measured in their print modes, as a script would start them.

## Repeat it

\`\`\`sh
npm ci
npm run bench:until-done -- --twice      # this page's cells, twice; the hosts are installed into .hosts; about half an hour on 2 cores
npm run bench:until-done -- --costs      # time and memory; 5 minutes, on a machine that has nothing else to do
npm run bench:until-done -- --plot       # prints this page and the table of the README
\`\`\`

It ends with 1 where two plays differ or tildone breaks a promise. \`--missing\` continues a run that was interrupted, \`--only <system>\`
and \`--persona <name>\` play some cells, \`--full\` plays all there are. Results are in bench/results; none is overwritten.

## Add or contest a cell

A **persona** is one object in \`src/testing/personas\`: what is asked, the files, the check, and a script that yields what the model says and
calls. A **system** is one object with a name and a \`play\` (\`bench/until-done/cell.ts\`). A host with hooks has its columns from its value in
\`src/hosts\` and from \`test/hosts/real/<name>.ts\`, which says how it is started and how its list tool is called; what only a benchmark has to know,
such as a goal mode of its own, stands in \`entrants.ts\`. The others are a few lines in \`pi.ts\` and \`opencode.ts\`. *Qwen Code /goal* was added that way:
five lines in \`entrants.ts\` and one in \`judges.ts\`. To contest a cell, play it alone and read what the model was asked:

\`\`\`sh
npm run bench:until-done -- --only "Qwen Code /goal" --persona "stops after each todo" --transcripts
ls bench/results/until-done              # every request and the end of what the program printed
\`\`\`

If a system is started wrongly, its list is read wrongly, or a limit is unfair to it, change that and send the change with the two lines
that this prints before and after. \`verdict.ts\` computes every verdict from the facts of the cell, the same way for every system.

Versions: ${versions(results)}.
`;
}

function promises(results: Results): string {
  const broken = brokenPromises(results);
  if (broken.length > 0)
    return `tildone does not keep its promises in ${broken.length === 1 ? "1 cell" : `${broken.length} cells`}:\n${broken.map((each) => `- ${each}`).join("\n")}`;
  return `With tildone every cell is good: what can be finished is finished, what must be stopped is stopped, no model is told to continue after an abort or
in a wait, and the model is asked no more often than the work and its early stops need. The run fails where that is not so.`;
}

function costsNote({ costs: measured, run }: Results): string {
  const tokens =
    "Tokens are estimated at four characters each. Before any work a request holds the host's instructions and tools, and ours where they are\ninstalled.";
  if (!measured) return `${tokens} Time and memory were not measured.`;
  const plays = Math.min(...measured.systems.map((each) => each.plays));
  const where = isSame(measured.source, run.source) ? "" : `, on commit ${named(measured.source)}`;
  return `${tokens} Seconds and memory are those of the model that does what is asked: medians of ${plays} plays, all systems in turn${where}. Compare the
rows, not the numbers with those of another machine. Memory is the most that the process and all it started held together, looked
at ten times a second; pages that several share are divided among them.`;
}

const versions = ({ systems, rows }: Results): string =>
  Object.entries(systems)
    .filter(([name]) => rows.some(({ cells }) => cells[name]))
    .map(([name, { version }]) => `${name} ${version}`)
    .join(", ");
