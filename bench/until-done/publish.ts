import { writeFileSync } from "node:fs";
import { plot } from "./plot.ts";
import type { Results } from "./results.ts";
import { legend, markdown, summary } from "./table.ts";

/** The page and the picture of one run, and the run itself beside them. */
export function publish(results: Results): void {
  writeFileSync("docs/benchmark.json", `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync("docs/benchmark.svg", plot(results));
  writeFileSync("docs/benchmark.md", page(results));
}

function page(results: Results): string {
  const { at, machine, systems } = results;
  const versions = Object.entries(systems)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
  return `# Side by side

<!-- Printed by \`npm run bench:until-done -- --plot\` from benchmark.json; do not edit. -->

The same scripted models, played on real hosts with and without tildone. A model is a [persona](../src/testing/personas): a
script that works, stops early, claims, errs or never ends. Each cell is one real process in a folder of its own, with the
model on loopback. Measured in parts, the last on ${at}, on ${machine.cpus} cores (${machine.platform} ${machine.arch}, Node ${machine.node}); the
[raw results](benchmark.json) hold every number. A cell that was not run is in no total, so the totals of two systems may stand for different cells.

![good, faulty and unfinished cells of each system](benchmark.svg)

${summary(results)}

## Every cell

${markdown(results)}

## How it is judged

- **Finished**: the human's check passes at the end. The benchmark runs it itself, on the tests as they were at the beginning
  (those aside that the model declared it would change).
- **What a system says**: tildone by the reason in its log, any other program by its exit code. A program that exits with 0 says
  that it is done: that is what a script around it sees.
- **Fewest requests**: each answer of the script is one request; nobody can finish with fewer. A runaway is ended after 150.
- **Nudges**: user messages that the human did not write. Needless are those beyond what the persona calls for: after an abort, on a
  question, on work that is done.
- Hosts retry as they are shipped. An hour of a rate limit is a second here.
- An abort is SIGINT while the model keeps the host waiting. A host that then exits with 0 says that it is done.
- Codex is told to wait for our server (\`mcp_servers.tildone.required\`): on a busy machine it asks the model before a server is up.
- Gemini CLI with tildone does not give the same verdict every time: a check that passed is at times called stale when the agent stops,
  and the run then ends as not done. Why is not established.

${legend()}

## What it is not

The models are scripts: they show what the mechanism around a model does, not how good a model is. Hosts are measured in
their print modes, as a script would start them.

Versions: ${versions}.

\`\`\`sh
npm run test:hosts                    # installs the hosts into .hosts, and tests them
npm run bench:until-done              # the personas of this page; --full for all, --persona and --only for one
npm run bench:until-done -- --plot    # prints this page from the results
\`\`\`
`;
}
