import { join } from "node:path";
import { readWorkflows } from "../../compose/index.ts";
import { directories, findProject } from "../../config/index.ts";
import {
  drawWorkflow,
  findWorkflow,
  type Library,
  listWorkflows,
  newWorkflow,
  problemLine,
  reportProblems,
  userWorkflows,
} from "../../workflows/index.ts";
import { type Command, Failure, type Given, has, JSON_OPTION, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";

export const workflow: Command = {
  name: "workflow",
  takes: "<action> [name]",
  summary: "Lists, checks, shows and creates workflows: phases with instructions and tool rules.",
  examples: [
    ["tildone workflow list", ""],
    ["tildone workflow check [name]", "every mistake, with its file and line"],
    ["tildone workflow show <name>", "its phases as a tree"],
    ["tildone workflow new <name>", "a commented example here; --user for all projects"],
  ],
  completes: [["list", "check", "show", "new"], "workflow"],
  options: {
    ...JSON_OPTION,
    user: { type: "boolean", says: "new: in the user's configuration instead of the project." },
  },
  words: 2,
  run: async (given, io) => {
    const [action = "list", name] = given.words;
    switch (action) {
      case "list":
        return list(await readWorkflows(io), given, io);
      case "check":
        return check(await readWorkflows(io), name, given, io);
      case "show":
        return show(await readWorkflows(io), needed(name, "show"), io);
      case "new":
        return write(needed(name, "new"), given, io);
      default:
        throw new UsageError(`There is no "workflow ${action}". Say list, check, show or new.`);
    }
  },
};

function list(library: Library, given: Given, io: Io): number {
  const workflows = userWorkflows(library).map(({ definition: { commandName, name }, scope, file }) => ({
    command: commandName,
    name,
    scope,
    file,
  }));
  io.out(has(given, "json") ? jsonText({ workflows, untrusted: library.untrusted }) : listWorkflows(library));
  return 0;
}

function check(library: Library, name: string | undefined, given: Given, io: Io): number {
  const key = name === undefined ? undefined : keyOf(library, name);
  const { isSound, text } = reportProblems(library, key);
  const problems = library.problems.filter(({ workflow }) => key === undefined || workflow === key);
  io.out(has(given, "json") ? jsonText({ isSound, problems }) : text);
  return isSound ? 0 : 1;
}

/** People name a workflow by its command or by its folder. */
function keyOf({ workflows, problems }: Library, name: string): string {
  const loaded = workflows.find(({ definition: { commandName, key } }) => commandName === name || key === name);
  if (loaded) return loaded.definition.key;
  if (problems.some(({ workflow }) => workflow === name)) return name;
  throw new Failure(`There is no workflow "${name}". See: tildone workflow list`);
}

function show(library: Library, name: string, io: Io): number {
  const found = findWorkflow(library, name);
  if (found.status === "not_found") throw new Failure(found.message);
  io.out(drawWorkflow(found.start.forest));
  io.out(`\n${found.workflow.file}`);
  for (const problem of library.problems.filter(({ workflow }) => workflow === found.start.workflowKey))
    io.err(`warning: ${problemLine(problem)}`);
  return 0;
}

function write(name: string, given: Given, io: Io): number {
  const { config } = directories({ env: io.env, home: io.home });
  const project = findProject(io.cwd);
  const folder = has(given, "user") ? config : (project?.folder ?? join(project?.root ?? io.cwd, ".tildone"));
  const written = newWorkflow(join(folder, "workflows"), name);
  if (written.status === "refused") throw new Failure(written.message);
  for (const file of written.files) io.out(file);
  io.out(
    has(given, "user")
      ? `Start it with: /workflow ${name} <description>`
      : `Trust it once with: tildone trust\nStart it with: /workflow ${name} <description>`,
  );
  return 0;
}

function needed(name: string | undefined, action: string): string {
  if (name === undefined) throw new UsageError(`Say which one: tildone workflow ${action} <name>.`);
  return name;
}
