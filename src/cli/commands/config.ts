import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import {
  changeConfig,
  type DescribedSetting,
  describeConfig,
  directories,
  findProject,
  type LoadedConfig,
  loadConfig,
  newConfigFile,
  sayProblem,
  sayWarning,
} from "../../config/index.ts";
import { nearest } from "../../core/text/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, text, UsageError } from "../command.ts";
import { bare, configLines, explainLines, sectionLines } from "../config-lines.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { settingsEnv } from "../settings-env.ts";
import { refuseAgent } from "../speaker.ts";

export const config: Command = {
  name: "config",
  takes: "[explain|get|set|unset|edit] [setting] [value]",
  summary: "Shows every setting that applies in this folder and where it comes from, or changes one.",
  examples: [
    ["tildone config", "every setting"],
    ["tildone config --changed", "only what is not the default"],
    ["tildone config explain budget.cost", "what it does, what it may be"],
    ["tildone config explain checks", "the same for a section, in short"],
    ["tildone config get approval.mode", "the value alone, for scripts"],
    ["tildone config set budget.minutes 90", "in your own file; --project in this project's"],
    ['tildone config set checks.run "npm test" "npm run lint"', ""],
    ["tildone config unset budget.minutes", ""],
    ["tildone config edit", "opens the file in $EDITOR and checks it afterwards"],
  ],
  completes: [["explain", "get", "set", "unset", "edit"], "setting"],
  options: {
    ...JSON_OPTION,
    host: { type: "string", completes: "host", value: "name", says: "As it applies to this host." },
    agent: { type: "string", value: "name", says: "As it applies to this agent." },
    changed: { type: "boolean", says: "Only what differs from the default." },
    project: { type: "boolean", says: "set, unset, edit: this project's .tildone instead of your own file." },
  },
  words: 100,
  run: async (given, io) => {
    const [action = "list", key, ...values] = given.words;
    switch (action) {
      case "list":
        return list(given, io);
      case "explain":
        return explain(key, given, io);
      case "get":
        return get(settingOf(key, "get"), given, io);
      case "set":
        if (key === undefined || values.length === 0)
          throw new UsageError("Say what and how: tildone config set <setting> <value>.");
        return change(key, values, given, io);
      case "unset":
        if (key === undefined) throw new UsageError("Say which: tildone config unset <setting>.");
        return change(key, undefined, given, io);
      case "edit":
        return edit(given, io);
      default:
        throw new UsageError(`There is no "config ${action}": explain, get, set, unset or edit.`);
    }
  },
};

async function list(given: Given, io: Io): Promise<number> {
  const loaded = await load(given, io);
  const rows = loaded.explain.filter(({ layer }) => !has(given, "changed") || layer !== "default");
  if (has(given, "json")) {
    const described = new Map(describeConfig().map((each) => [each.key, each]));
    const settings = rows.map((row) => ({
      ...row,
      unit: described.get(row.key)?.unit,
      says: described.get(row.key)?.says,
    }));
    io.out(jsonText({ settings, warnings: loaded.warnings }));
    return 0;
  }
  for (const line of configLines(rows, describeConfig(), io)) io.out(line);
  io.out(
    rows.length === 0
      ? "Every setting has its default. tildone config shows them."
      : "\nAll about one: tildone config explain <setting>",
  );
  for (const warning of loaded.warnings) io.err(sayWarning(warning));
  return 0;
}

async function explain(key: string | undefined, given: Given, io: Io): Promise<number> {
  const section = describeConfig().filter((each) => key !== undefined && isBelow(each.key, key));
  if (section.length > 0) return explainSection(section, given, io);
  const about = settingOf(key, "explain");
  const row = await rowFor(about, given, io);
  if (has(given, "json")) io.out(jsonText({ ...about, value: row.value, layer: row.layer, source: row.source }));
  else for (const line of explainLines(about, row, io.columns)) io.out(line);
  return 0;
}

async function explainSection(section: readonly DescribedSetting[], given: Given, io: Io): Promise<number> {
  const { explain: rows } = await load(given, io);
  const known = section.flatMap((about) => {
    const row = rows.find(({ key }) => key === about.key);
    return row ? [{ about, row }] : [];
  });
  if (has(given, "json"))
    io.out(
      jsonText({
        settings: known.map(({ about, row: { value, layer, source } }) => ({ ...about, value, layer, source })),
      }),
    );
  else for (const line of sectionLines(known, io)) io.out(line);
  return 0;
}

/** `budget.cost` and `budget.perTodo.cost` are below `budget`. */
const isBelow = (key: string, section: string): boolean => key.startsWith(`${section.replace(/\.$/, "")}.`);

/** Exit code 1: nothing is set. */
async function get(about: DescribedSetting, given: Given, io: Io): Promise<number> {
  const { value } = await rowFor(about, given, io);
  if (value !== "") io.out(bare(value));
  return value === "" ? 1 : 0;
}

async function rowFor({ key }: DescribedSetting, given: Given, io: Io) {
  const { explain: rows } = await load(given, io);
  return rows.find((row) => row.key === key)!;
}

async function load(given: Given, io: Io): Promise<LoadedConfig & { ok: true }> {
  const scope = { host: text(given, "host"), agent: text(given, "agent") };
  const loaded = await loadConfig({ cwd: io.cwd, env: settingsEnv(io), home: io.home, ...scope });
  if (!loaded.ok) throw new Failure(loaded.errors.map(sayProblem).join("\n"), 2);
  return loaded;
}

function settingOf(key: string | undefined, action: string): DescribedSetting {
  const all = describeConfig();
  if (key === undefined) throw new UsageError(`Say which: tildone config ${action} <setting>.`);
  const found = all.find((each) => each.key === key) ?? all.find((each) => pattern(each.key).test(key));
  if (found) return found;
  const names = all.map((each) => each.key);
  if (names.some((name) => isBelow(name, key)))
    throw new UsageError(`${key} is a section. Name one of its settings; see tildone config explain ${key}.`);
  const [close] = [...names.filter((name) => name.endsWith(`.${key}`)), ...nearest(key, names)];
  throw new UsageError(
    `There is no setting "${key}".${close === undefined ? "" : ` Did you mean ${close}?`} See tildone config.`,
  );
}

/** `agents.*.model` is meant by `agents.coder.model`, too. */
const pattern = (key: string): RegExp => new RegExp(`^${key.replaceAll(".", "\\.").replace("*", "[^.]+")}$`);

async function change(key: string, values: readonly string[] | undefined, given: Given, io: Io): Promise<number> {
  await withStore(io, (store) => refuseAgent(store, io, "settings"));
  const changed = await changeConfig(folderOf(given, io), { key, ...(values && { values }) });
  if (!changed.ok) throw new Failure(`${changed.errors.map(sayProblem).join("\n")}\nNothing was changed.`, 2);
  io.out(`${values === undefined ? "Removed" : "Set"} ${key} in ${changed.path}.`);
  if (has(given, "project")) io.out("What allows more than your own settings needs: tildone trust");
  return 0;
}

async function edit(given: Given, io: Io): Promise<number> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!io.isInteractive || !editor)
    throw new UsageError(
      editor
        ? "tildone config edit needs a terminal."
        : `Set EDITOR, or open it yourself: ${newConfigFile(folderOf(given, io))}`,
    );
  await withStore(io, (store) => refuseAgent(store, io, "settings"));
  const path = newConfigFile(folderOf(given, io));
  // The editor is what you set it to, words and all; the path is handed over beside it, never read by a shell.
  const { status } = spawnSync("sh", ["-c", `exec ${editor} "$1"`, "sh", path], {
    stdio: "inherit",
    cwd: dirname(path),
  });
  if (status !== 0) throw new Failure(`The editor ended with ${status ?? "a signal"}.`);
  const loaded = await loadConfig({ cwd: io.cwd, env: io.env, home: io.home });
  const problems = loaded.ok ? (loaded.project?.mistakes ?? []) : loaded.errors;
  if (problems.length > 0) throw new Failure(problems.map(sayProblem).join("\n"), 2);
  io.out(`${path} is fine.`);
  return 0;
}

function folderOf(given: Given, io: Io): string {
  if (!has(given, "project")) return directories(io).config;
  const project = findProject(io.cwd);
  return project?.folder ?? `${project?.root ?? io.cwd}/.tildone`;
}
