// Prints docs/reference from the tables in the code. `--check` writes nothing and fails when a page is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Command, Option } from "../src/cli/command.ts";
import { COMMAND_GROUPS } from "../src/cli/command-groups.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { exampleLines } from "../src/cli/help.ts";
import { workerOf } from "../src/cli/host-of.ts";
import { FLAG_FITS } from "../src/cli/run-flags.ts";
import { configSchema, describeAliases, describeConfig, HOST_NAMES } from "../src/config/index.ts";
import { CANCELLATIONS, ERRORS, NEXT, OUTCOMES, PROTECTED } from "../src/core/call/index.ts";
import { DEFAULTS, RULES } from "../src/core/continuation/index.ts";
import { RESETS, STOP, WAIT } from "../src/core/reason/index.ts";
import { EVENTS } from "../src/core/run/index.ts";
import { MARKS, REFUSALS, STATUSES } from "../src/core/todo/index.ts";
import { TODO_TOOLS, WORKFLOW_TOOL } from "../src/core/words/index.ts";
import type { Capabilities } from "../src/engine/index.ts";
import { PROFILES } from "../src/hosts/index.ts";
import { CAPABILITIES as LIBRARY } from "../src/hosts/library/capabilities.ts";
import { CAPABILITIES as MCP } from "../src/hosts/mcp/capabilities.ts";
import { apiParts } from "./api-page.ts";
import { jsonParts, outputSchema } from "./json-page.ts";
import { manPage } from "./man-page.ts";
import { workflowParts } from "./workflow-page.ts";

const GENERATED = "<!-- Printed by `npm run docs` from the code; do not edit. -->";

const pages: Record<string, () => string | Promise<string>> = {
  "docs/reference/reasons.md": reasons,
  "docs/reference/events.md": events,
  "docs/reference/calls.md": calls,
  "docs/reference/capabilities.md": capabilities,
  "docs/reference/config.md": config,
  "docs/reference/defaults.md": defaults,
  "docs/reference/tools.md": tools,
  "docs/reference/workflows.md": () => page("Workflows", ...workflowParts(table)),
  "docs/reference/commands.md": commands,
  "docs/reference/api.md": () => page("Exported names", ...apiParts()),
  "docs/reference/json.md": async () => page("What `--json` prints", ...(await jsonParts(table))),
  "schema/output.json": () => `${JSON.stringify(outputSchema(), null, 2)}\n`,
  "man/tildone.1": manPage,
  "schema/config.json": () => `${JSON.stringify(configSchema(), null, 2)}\n`,
};

let stale = 0;
for (const [path, print] of Object.entries(pages)) {
  const text = await print();
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`${path} is out of date: run npm run docs`);
    stale++;
  } else {
    mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
process.exit(stale > 0 ? 1 : 0);

function page(title: string, ...parts: string[]): string {
  return `${[`# ${title}`, GENERATED, ...parts].join("\n\n")}\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function reasons(): string {
  return page(
    "Reasons",
    "Every decision is `continue`, `wait` or `stop`. The first rule that speaks wins; `tildone why` names it.",
    "## The rules, in their order",
    RULES.map(({ name }, at) => `${at + 1}. ${name}`).join("\n"),
    "## Why a run stops",
    table(
      ["reason", "exit code", "meaning", "what you can do"],
      Object.entries(STOP).map(([name, { exit, says, next }]) => [`\`${name}\``, exit, says, next]),
    ),
    "`done_unproven` exits 0 when you gave no check, and says so. Other exit codes: 1 tildone failed, 2 wrong usage, 130 SIGINT, 143 SIGTERM.",
    "## How a stopped run continues",
    'Resuming is your word: only a person\'s `tildone run --resume`, `/unhold` or message counts. It resets what stopped the run and nothing else; a process that takes a run over, a supervisor or a worker resets nothing. Budgets are totals: they need `tildone extend` or a new limit. `tildone run` prints the command with everything filled in. `--resume [run] "message"` sends your message first, together with those that were queued.',
    table(
      ["reason", "after `tildone run`", "inside a host", "what it resets"],
      (Object.keys(STOP) as (keyof typeof STOP)[]).map((name) => [
        `\`${name}\``,
        `\`${STOP[name].resume}\``,
        STOP[name].next === "" ? "a message" : STOP[name].next,
        STOP[name].resets.map((reset) => RESETS[reset]).join(", ") || "nothing",
      ]),
    ),
    "## Why a run waits",
    table(
      ["reason", "meaning"],
      Object.entries(WAIT).map(([name, { says }]) => [`\`${name}\``, says]),
    ),
  );
}

function events(): string {
  return page(
    "Events of the log",
    "`tildone log <run> --json` prints them as they stand: `{ seq, at, by, v, event: { type, ... } }`. `by` is `human`, `plan`, `model`, `subagent`, `engine` or `host`.",
    table(
      ["type", "meaning"],
      Object.entries(EVENTS).map(([type, says]) => [`\`${type}\``, says]),
    ),
  );
}

function calls(): string {
  const named = (rows: Readonly<Record<string, string>>) =>
    Object.entries(rows).map(([name, says]) => [`\`${name}\``, says]);
  return page(
    "Tool calls",
    "What a call can be, and what can come of it. How to use the scheduler: [how-to](../how-to/scheduler.md).",
    "## States",
    table(
      ["state", "leads to"],
      Object.entries(NEXT).map(([from, ways]) => [
        `\`${from}\``,
        ways.length === 0 ? "nothing: it has ended" : ways.map((to) => `\`${to}\``).join(", "),
      ]),
    ),
    "## Why a call ends in `error`",
    table(["code", "meaning"], named(ERRORS)),
    "## Why a call ends in `cancelled`",
    table(["code", "meaning"], named(CANCELLATIONS)),
    "## How an approval ends",
    table(["outcome", "meaning"], named(OUTCOMES)),
    "## Files that ask in every mode",
    PROTECTED.map((pattern) => `\`${pattern}\``).join(", "),
  );
}

function capabilities(): string {
  const rows = [
    ...Object.values(PROFILES).flatMap(({ name, capabilities: modes, hook }) =>
      Object.entries(modes).map(([mode, can]) => capabilityRow(hook ? name : `${name} ${mode}`, can)),
    ),
    ...Object.entries(LIBRARY).map(([mode, can]) => capabilityRow(`library ${mode}`, can)),
    ...Object.entries(MCP).map(([mode, can]) => capabilityRow(`mcp ${mode}`, can)),
  ];
  return page(
    "What each host can do",
    "The engine maps decisions by these values; the policy knows nothing of hosts. A wait that a host can neither hold nor time is parked, and says who wakes it. A turn is braked at every model answer, or only at its tool calls; a host that cannot end a turn refuses its calls.",
    table(
      ["host", "boundary", "holds countdown", "holds a wait", "resident", "starts turns", "brakes a turn", "sees"],
      rows,
    ),
  );
}

function capabilityRow(name: string, can: Capabilities): string[] {
  const time = (ms: number) => (ms === Number.POSITIVE_INFINITY ? "any time" : ms === 0 ? "no" : `${ms / 1000} s`);
  const brakes = { answer: "at answers and calls", tool: "at calls", none: "no" }[can.brake.at];
  const sees = Object.entries(can.sees).flatMap(([what, seen]) => (seen ? [what] : []));
  return [
    name,
    can.boundary,
    time(can.holds.countdownMs),
    time(can.holds.waitMs),
    can.resident ? "yes" : "no",
    can.startsTurns ? "yes" : "no",
    can.brake.at === "none" || can.brake.ends ? brakes : `${brakes}, by refusing them`,
    sees.join(", "),
  ];
}

function config(): string {
  return page(
    "Configuration",
    "Defaults < user file < project file < environment < flags. Files are `config.yaml` or `config.json` in the user's configuration folder and in a project's `.tildone`. `tildone config` shows what holds and where it comes from. The [JSON Schema](../../schema/config.json) is part of the package.",
    "An unknown key or a wrong value is an error with its path, and nothing is applied. What an untrusted project may do is in the last column; `tildone trust` lifts it.",
    table(
      ["setting", "meaning", "must be", "default", "variables, flags", "an untrusted project may"],
      describeConfig().map(
        ({ key, says, expected, default: value, unit, absent, variables, flags, project, scoped }) => [
          `\`${key}\``,
          says + (scoped ? " Also under `hosts.<host>` and `agents.<agent>`." : ""),
          expected,
          value === "" ? absent : `\`${value}\`${unit === "" ? "" : ` ${unit}`}`,
          [...variables, ...flags].map((name) => `\`${name}\``).join(" "),
          project,
        ],
      ),
    ),
    "## Other names",
    table(
      ["name", "stands for"],
      describeAliases().map(({ name, key }) => [`\`${name}\``, `\`${key}\``]),
    ),
  );
}

function defaults(): string {
  const rows = Object.entries(DEFAULTS).flatMap(([name, value]) =>
    typeof value === "object"
      ? Object.entries(value).map(([inner, number]) => [`\`${name}.${inner}\``, shown(inner, name, number)])
      : [[`\`${name}\``, shown(name, name, value)]],
  );
  return page(
    "Defaults",
    "The numbers that decisions work with. Budgets are off until you set them.",
    table(["name", "value"], rows as string[][]),
  );
}

function shown(name: string, outer: string, value: unknown): string {
  return /Ms$/.test(name) || /Ms$/.test(outer) ? `${Number(value) / 1000} s` : String(value);
}

function tools(): string {
  return page(
    "Tools the model sees",
    "The same on every host: `write_todos`, `list_todos`, `edit_todos`, `workflow_step`.",
    ...[...Object.values(TODO_TOOLS), WORKFLOW_TOOL].flatMap(toolPart),
    "## Statuses",
    table(
      ["status", "finished"],
      Object.entries(STATUSES).map(([name, { finished }]) => [`\`${name}\``, finished ? "yes" : "no"]),
    ),
    "## Marks",
    "How every screen draws a todo, by what is known about it:",
    table(
      ["mark", "", "meaning"],
      Object.entries(MARKS).map(([name, { glyph, says }]) => [glyph, name, says]),
    ),
    "## Refusals",
    "A refused call changes nothing. The code stands in the result; the sentence there tells the model what to do instead.",
    table(
      ["code", "rule"],
      Object.entries(REFUSALS).map(([code, says]) => [`\`${code}\``, says]),
    ),
  );
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

function toolPart({ name, description, parameters }: { name: string; description: string; parameters: unknown }) {
  const rows = parameterRows(parameters as Schema, "");
  return [
    `## ${name}`,
    description,
    rows.length === 0 ? "No parameters." : table(["parameter", "is", "required", "meaning"], rows),
  ];
}

function parameterRows({ properties = {}, required = [] }: Schema, above: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    [`\`${above}${name}\``, kindOf(schema), required.includes(name) ? "yes" : "", schema.description ?? ""],
    ...(schema.items?.properties ? parameterRows(schema.items, `${above}${name}[].`) : []),
  ]);
}

function kindOf({ type, enum: words, items, anyOf }: Schema): string {
  if (words) return words.map((word) => `\`${word}\``).join(", ");
  if (anyOf) return anyOf.map(kindOf).join(" or ");
  return type === "array" && items ? `list of ${items.type ?? "values"}` : (type ?? "any");
}

/** What `tildone run` does with each option, by who does the work. */
async function flagTable(): Promise<string> {
  const workers = await Promise.all(HOST_NAMES.map(workerOf));
  const sign = (fit: string) => (fit === "works" ? "✓" : "refused");
  return table(
    ["option", "own agent", ...workers.map(({ title }) => title), "with `--resume`"],
    Object.entries(FLAG_FITS).map(([flag, { alone, host, resume }]) => [
      `\`--${flag}\``,
      sign(alone),
      ...workers.map((worker) => sign(typeof host === "function" ? host(worker) : host)),
      sign(resume),
    ]),
  );
}

async function commands(): Promise<string> {
  const parts = COMMAND_GROUPS.map(async ({ title, says, commands: names }) => [
    `## ${title}`,
    says,
    ...(await Promise.all(names.map((name) => COMMANDS[name]!()))).flatMap(commandPart),
  ]);
  return page(
    "Commands",
    ...(await Promise.all(parts)).flat(),
    "## Which option of `tildone run` works where",
    "An option that would have no effect is refused with a sentence; none is ignored.",
    await flagTable(),
  );
}

function commandPart(command: Command): string[] {
  const { examples = [], details, options } = command;
  return [
    `### tildone ${command.name} ${command.takes}`.trimEnd(),
    command.summary,
    ...(examples.length === 0
      ? []
      : [
          `\`\`\`sh\n${exampleLines(examples, 100)
            .map((line) => line.slice(2))
            .join("\n")}\n\`\`\``,
        ]),
    ...(details === undefined ? [] : [`\`\`\`text\n${details}\n\`\`\``]),
    ...(Object.keys(options).length === 0
      ? []
      : [table(["option", "meaning"], Object.entries(options).map(optionRow))]),
  ];
}

function optionRow([name, { type, value, says, short, multiple }]: [string, Option]): string[] {
  const typed = `--${name}${type === "string" ? ` <${value ?? name}>` : ""}`;
  return [
    `\`${short === undefined ? "" : `-${short}, `}${typed}\``,
    `${says}${multiple && !/repeatable/i.test(says) ? " Repeatable." : ""}`,
  ];
}
