import { join } from "node:path";
import { visible } from "../core/text/index.ts";
import { attempt } from "../machine/index.ts";
import { LINKED, type ProjectFile, readBounded } from "./project-files.ts";
import type { ProjectTrust } from "./project-trust.ts";

/** What a project asks to be trusted with, contents and all: who says yes has seen what would run. */
export function describeTrust(project: ProjectTrust): readonly string[] {
  const isNew = ({ path }: ProjectFile) => project.untrusted.includes(path);
  const named = project.files.map((file) => {
    const mark = file.problem ? "never" : isNew(file) ? "new  " : "     ";
    return `  ${mark} ${visible(file.path)}${file.problem ? `: ${visible(file.problem)}` : ""}`;
  });
  const shown = project.files.filter((file) => isNew(file) && !file.problem);
  return [
    `${visible(project.root)} asks you to trust:`,
    ...named,
    ...shown.flatMap((file) => shownFile(project.root, file)),
    ...allowedBy(project),
  ];
}

/** Last, so that it is on the screen when you are asked. */
function allowedBy({ commands, files }: ProjectTrust): readonly string[] {
  const code = files.filter(({ path }) => /^\.pi\/extensions\//.test(path)).map(({ path }) => path);
  if (commands.length === 0 && code.length === 0) return [];
  return [
    "",
    "Trusting it allows these commands:",
    ...commands.map(({ setting, command }) => `  ${visible(command)}  (${MEANS[setting] ?? setting})`),
    ...code.map((path) => `  ${visible(path)}  (code that pi loads)`),
  ];
}

const MEANS: Readonly<Record<string, string>> = {
  "checks.run": "checks.run: at the end of every run",
  "checks.allow": "checks.allow: when the agent proposes it as a check",
  "checks.prepare": "checks.prepare: before checks in a clean copy",
  "approval.rules": "approval.rules: without asking you",
};

function shownFile(root: string, { path, digest }: ProjectFile): readonly string[] {
  if (path.endsWith(LINKED)) return []; // shown under its own name
  return [
    "",
    `--- ${visible(path)}  sha256 ${digest.slice(0, 12)}`,
    ...linesOf(join(root, path)).map((line) => `  ${line}`),
  ];
}

const MOST_LINES = 400;

function linesOf(path: string): readonly string[] {
  const content = readable(path);
  if (content === undefined) return ["(a folder, shown file by file)"];
  if (content.includes(0)) return [`(binary, ${content.length} bytes)`];
  const lines = visible(content.toString("utf8")).trimEnd().split("\n");
  if (lines.length <= MOST_LINES) return lines;
  const hidden = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES / 2),
    `... ${hidden} lines not shown; read them before you say yes: less ${visible(JSON.stringify(path))}`,
    ...lines.slice(-MOST_LINES / 2),
  ];
}

const readable = (path: string): Buffer | undefined => attempt(() => readBounded(path));
