import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "./plot.ts";
import type { Results } from "./results.ts";
import { costs, differences, legend, markdown, summary } from "./table.ts";

/** The page and the picture of one run, and the run itself beside them. */
export function publish(results: Results): void {
  writeFileSync("docs/benchmark.json", `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync("docs/benchmark.svg", plot(results));
  writeFileSync("docs/benchmark.md", page(results));
  writeFileSync("README.md", withTable(readFileSync("README.md", "utf8"), summary(results)));
}

const [BEGIN, END] = ["<!-- benchmark: printed by bench:until-done -- --plot -->", "<!-- /benchmark -->"];

/** What stands between the two marks is the table. */
export function withTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the README lacks ${BEGIN} or ${END} after it`);
  return `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`;
}

function page(results: Results): string {
  const { at, machine, systems } = results;
  const versions = Object.entries(systems)
    .filter(([name]) => results.rows.some(({ cells }) => cells[name]))
    .map(([name, { version }]) => `${name} ${version}`)
    .join(", ");
  return `# Side by side

<!-- Printed by \`npm run bench:until-done -- --plot\` from benchmark.json; do not edit. -->

The same scripted models, played on real hosts with and without tildone. A model is a [persona](../src/testing/personas): a
script that works, stops early, claims, errs or never ends. Each cell is one real process in a folder of its own, with the
model on loopback. Measured until ${at} on ${machine.cpus} cores (${machine.platform} ${machine.arch}, Node ${machine.node}); the
[raw results](benchmark.json) hold every number. A cell that was not run is in no total, so the totals of two systems may stand for
different cells.

![good, faulty and unfinished cells of each system](benchmark.svg)

${summary(results)}

A default run plays \`tildone run --host\` only on what ends the host's own process; the rest is the work of the same adapter as without it.

## Every cell

${markdown(results)}

## The same twice

${differences(results)}

## What it costs

${costs(results)}

Tokens are estimated at four characters each. Before any work a request holds the host's instructions and tools, and ours where they are
installed. Seconds and memory are those of the model that does what is asked, medians of ${results.costs?.[0]?.plays ?? "no"} plays in turn with the host
alone, on a machine that had other work to do: compare the rows, not the numbers with those of another machine. Memory is the
most that the process and all it started held together, looked at ten times a second; pages that several share are divided among them.

## How it is judged

- **Finished**: the human's check passes at the end. The benchmark runs it itself, on the tests as they were at the beginning
  (those aside that the model declared it would change).
- **What a system says**: tildone by the reason in its log, any other program by its exit code. A program that exits with 0 says
  that it is done: that is what a script around it sees. A run in tildone's log that nobody ended is "working", which is not done.
  That is more lenient to tildone: after SIGINT, and where a context stays full, some hosts tell no hook, the log names no reason, and the cell is good.
- The cells of this page need not come from one run or one state of tildone: a cell is kept until it is played again, and most were played on a
  busy machine, on which seconds say little.
- **Fewest requests**: each answer of the script is one request; nobody can finish with fewer. A runaway is ended after 150.
- **Nudges**: user messages that the human did not write and that start the model on another turn. Needless are those beyond what the
  persona calls for: after an abort, on a question, on work that is done.
- Hosts retry as they are shipped. An hour of a rate limit is a second here.
- An abort is SIGINT while the model keeps the host waiting. A host that then exits with 0 says that it is done.
- A process that asks the model nothing for 45 seconds has no end.
- Codex is told to wait for our server (\`mcp_servers.tildone.required\`): on a busy machine it asks the model before a server is up.
- oh-my-openagent is started by its own runner (\`oh-my-opencode run\`), which waits until its list is done: in \`opencode run\` a plugin that
  prompts an idle session is not answered any more. Both plugins are also played in a session of \`opencode serve\` with \`--full\`.

${legend()}

## What it is not

The models are scripts: they show what the mechanism around a model does, not how good a model is. Hosts are measured in
their print modes, as a script would start them.

Versions: ${versions}.

\`\`\`sh
npm run test:hosts                       # installs the hosts into .hosts, and tests them
npm run bench:until-done                 # the cells of this page; --full for all, --persona and --only for some
npm run bench:until-done -- --missing    # goes on with a run that was broken off
npm run bench:until-done -- --twice      # plays every cell twice and tells which differ
npm run bench:until-done -- --costs      # time and memory
npm run bench:until-done -- --plot       # prints this page and the table of the README from the results
\`\`\`
`;
}
