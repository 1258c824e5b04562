import { type ProjectTrust, projectTrust } from "../../compose/index.ts";
import { type Command, Failure, has, UsageError } from "../command.ts";
import type { Io } from "../io.ts";

export const trust: Command = {
  name: "trust",
  takes: "",
  summary: "Trusts this project's configuration, checks and workflows as they are now; a change asks again.",
  options: {
    yes: { type: "boolean", short: "y", says: "Do not ask." },
    show: { type: "boolean", says: "Only show what would be trusted." },
  },
  words: 0,
  run: async (given, io) => {
    const project = await here(io);
    if (project.files.length === 0) {
      io.out(`${project.root} has no configuration and no workflows of its own: there is nothing to trust.`);
      return 0;
    }
    io.out(`${project.root} asks to be trusted with:`);
    for (const { path } of project.files) io.out(`  ${project.untrusted.includes(path) ? "new " : "    "} ${path}`);
    if (has(given, "show")) return 0;
    if (project.untrusted.length === 0) {
      io.out("It is trusted already, as it is now.");
      return 0;
    }
    if (!has(given, "yes")) {
      const answer = await io.ask("These files may run commands on this machine. Trust them? [y/N] ");
      if (answer === undefined) throw new UsageError("There is nobody to ask here; read the files, then say --yes.");
      if (!/^y(es)?$/i.test(answer.trim())) {
        io.out("Nothing was trusted.");
        return 0;
      }
    }
    project.trust();
    io.out("Trusted, as it is now.");
    return 0;
  },
};

export const untrust: Command = {
  name: "untrust",
  takes: "",
  summary: "Takes the trust in this project back.",
  options: {},
  words: 0,
  run: async (_given, io) => {
    const project = await here(io);
    io.out(project.untrust() ? `${project.root} is no longer trusted.` : `${project.root} was not trusted.`);
    return 0;
  },
};

async function here(io: Io): Promise<ProjectTrust> {
  const project = await projectTrust({ cwd: io.cwd, env: io.env, home: io.home });
  if (!project) throw new Failure(`${io.cwd} cannot be read.`);
  return project;
}
