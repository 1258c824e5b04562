import { describeTrust, type ProjectTrust, projectTrust } from "../../compose/index.ts";
import { askForTrust } from "../ask-for-trust.ts";
import { type Command, Failure, has, UsageError } from "../command.ts";
import { withStore } from "../home.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../json.ts";
import { refuseAgent } from "../speaker.ts";
import { wrap } from "../wrap.ts";

export const trust: Command = {
  name: "trust",
  takes: "",
  summary: "Trusts this project's settings for tildone and pi as they are now. A change asks again.",
  examples: [
    ["tildone trust --show", "only show what would be trusted"],
    ["tildone trust", "show it, then ask"],
  ],
  details: `Covers .tildone (configuration, checks, workflows, commands) and .pi (settings,
extensions, skills, prompts). Until you trust them, none of it is loaded and
nothing of it runs. Links that lead out of the project are never followed.`,
  options: {
    yes: { type: "boolean", short: "y", says: "Do not ask." },
    show: { type: "boolean", says: "Only show what would be trusted." },
    json: { type: "boolean", says: "With --show: print JSON instead of text." },
  },
  words: 0,
  run: async (given, io) => {
    const project = await here(io);
    if (project.files.length === 0) {
      io.out(wrap(`Nothing to trust: ${project.root} has no settings of its own for tildone or pi.`, io.columns));
      return 0;
    }
    if (has(given, "show") && has(given, "json")) {
      const { root, files, untrusted, commands } = project;
      io.out(jsonText({ root, files, untrusted, commands }));
      return 0;
    }
    for (const line of describeTrust(project)) io.out(line);
    if (has(given, "show")) return 0;
    if (project.untrusted.length === 0) {
      io.out("You already trust it as it is now.");
      return 0;
    }
    await withStore(io, (store) => refuseAgent(store, io, "trust"));
    const answer = has(given, "yes") ? "yes" : await askForTrust(project, io);
    if (answer === undefined) throw new UsageError("There is no terminal to ask on. Read the files, then add --yes.");
    if (answer === "no") {
      io.out("Nothing was trusted.");
      return 0;
    }
    if (!project.trust())
      throw new Failure("Nothing was trusted: remove the files marked never, then run tildone trust again.");
    io.out("Trusted, as it is now. A change asks again.");
    return 0;
  },
};

export const untrust: Command = {
  name: "untrust",
  takes: "",
  summary: "Stops trusting this project.",
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
