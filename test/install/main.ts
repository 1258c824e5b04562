import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { commandOptions } from "../builders/command-options.ts";
import { commandsOf } from "../builders/doc-commands.ts";
import { oldNode } from "../builders/old-node.ts";

const HELP = `Walks through the README's ways to install, line by line: a fresh clone and a packed tarball, each on an old Node and
on this one. Global installs go to a temporary prefix.

  npm run test:install -- [options]

  --only checkout|tarball   one of the two
  --on <version>            Nodes whose version begins like this: 24
  --transcript <file>       what was typed and shown

It exits with 1 where a line did not do what the README says.`;

const values = commandOptions({
  help: HELP,
  options: { transcript: { type: "string" }, only: { type: "string" }, on: { type: "string" } },
  oneOf: { only: ["checkout", "tarball"] },
});

interface Expected {
  readonly exit?: number;
  readonly shows?: readonly RegExp[];
  readonly hides?: readonly RegExp[];
}

const README = new Set(commandsOf("README.md").map(({ line }) => line));
const QUESTIONS = new Set(commandsOf("docs/faq.md").map(({ line }) => line));
const root = mkdtempSync(join(tmpdir(), "tildone-walk-"));
const told: string[] = [];
const wrong: string[] = [];

const DEMO: Expected = {
  shows: [/✗ claim refused: slug\.test\.js still fails/, /Result: Done and proven/, /Next:\s+tildone install/],
};

const NODES = [oldNode(), process.execPath].flatMap((node) =>
  node === undefined ? [] : [{ node, version: versionOf(node) }],
);
const WALKS = { checkout, tarball };

try {
  if (oldNode() === undefined) say("# This machine has no Node older than 22.19: that half was not walked.");
  for (const [name, walk] of Object.entries(WALKS))
    for (const { node, version } of NODES)
      if ((values.only ?? name) === name && version.startsWith(`v${values.on ?? ""}`)) walk(node, version);
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
if (values.transcript !== undefined) writeFileSync(values.transcript, `${told.join("\n")}\n`);
for (const line of wrong) console.error(`WRONG ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);

function checkout(node: string, version: string): void {
  const person = aPerson(`a fresh clone on Node ${version}`, node);
  person.run(`git clone -q ${process.cwd()} tildone`, {}, ".");
  const built = /tildone is built\. Try it: npx tildone demo {3}On your PATH: npm link/;
  // On an old Node npm warns about the engine, which the README says.
  const hides = isOld(version) ? [/tildone.*warn/i] : [/tildone.*warn|EBADENGINE/i];
  person.run(readme("npm ci"), { shows: [built], hides }, "tildone");
  person.run(readme("npx tildone demo"), DEMO, "tildone");
  person.run(readme("npm link"), {}, "tildone");
  useIt(person);
  leaveIt(person, "npm unlink -g tildone");
}

function tarball(node: string, version: string): void {
  const person = aPerson(`a packed tarball on Node ${version}`, node);
  // Packed where it was built: the folder of this checkout.
  const packing = { cwd: process.cwd(), args: ["--ignore-scripts", "--silent", "--pack-destination", person.folder] };
  person.run(readme("npm pack"), { shows: [/^tildone-\d/m] }, ".", packing);
  const install = [...README].find((line) => /^npm install -g \.\/tildone-.*\.tgz$/.test(line))!;
  person.run(install, { hides: [/npm (warn deprecated|error)/] }, ".");
  if (isOld(version)) {
    const sentence = /^tildone needs Node 22\.19 or newer; this is Node \S+\. Install one .* and try again\.\s*$/;
    for (const command of ["tildone demo", "tildone --help", "tildone"])
      person.run(command, { exit: 1, shows: [sentence] }, ".");
  } else {
    person.run("tildone demo", DEMO, ".");
    useIt(person);
    person.run(install, {}, "."); // an upgrade is the same line with another tarball
    person.run("tildone --version", { shows: [/^\d+\.\d+\.\d+/] });
    leaveIt(person, "npm uninstall -g tildone");
  }
}

/** What a newcomer types first; there is no key and no host. */
function useIt(person: Person): void {
  person.run("tildone --version", { shows: [/^\d+\.\d+\.\d+/] });
  person.run("tildone --help", { shows: [/tildone run "fix the tests"/] });
  person.run("tildone doctor", { shows: [/ok {3}Node 2\d/, /no key found/, /Run: npm install -g @openai\/codex/] });
  person.run("tildone status", { shows: [/There is no run on this machine yet/] });
  person.run('tildone run "fix the tests"', { exit: 2, shows: [/No model yet\. Three ways/] });
  person.run("tildone config", { shows: [/All about one: tildone config explain <setting>/] });
  person.run("tildone stats", { shows: [/No runs yet/] });
  person.run("tildone demo codex", { exit: 1, shows: [/is not on your PATH\. Install it/] });
  person.run("man -P cat tildone", { shows: [/EXIT STATUS/] });
}

/** As the questions page says; what is left is the log and the settings. */
function leaveIt(person: Person, command: string): void {
  if (!QUESTIONS.has(command)) wrong.push(`the questions page does not say: ${command}`);
  person.run(command, {}, ".");
  person.run("tildone --version", { exit: 127 });
}

interface Person {
  readonly folder: string;
  run(command: string, expected: Expected, where?: string, how?: { cwd?: string; args?: readonly string[] }): void;
}

/** A person with an empty home, that Node first on the PATH, and a terminal. */
function aPerson(title: string, node: string): Person {
  const folder = mkdtempSync(join(root, "home-"));
  const bin = join(folder, "bin"); // only `node`: what else lies beside it is not theirs
  const work = join(folder, "work");
  for (const each of [bin, work, join(folder, "npm")]) mkdirSync(each);
  // What was downloaded before is used again; what npx makes is its own.
  const cache = process.env.npm_config_cache ?? join(homedir(), ".npm");
  symlinkSync(join(cache, "_cacache"), join(folder, "npm/_cacache"));
  writeFileSync(join(bin, "node"), `#!/bin/sh\nexec ${realpathSync(node)} "$@"\n`, { mode: 0o755 });
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cache|cafile|.*proxy)|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name),
  );
  const env = {
    ...Object.fromEntries(npm),
    HOME: folder,
    PATH: [join(folder, "prefix/bin"), bin, "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    MANPATH: join(folder, "prefix/share/man"),
    MANWIDTH: "80",
    npm_config_prefix: join(folder, "prefix"),
    npm_config_cache: join(folder, "npm"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
  say(`\n## ${title}`);
  return { folder, run };

  function run(
    command: string,
    { exit = 0, shows = [], hides = [] }: Expected,
    where = "work",
    { cwd, args = [] }: { cwd?: string; args?: readonly string[] } = {},
  ) {
    say(`$ ${command}`);
    const line = [command, ...args].join(" ");
    // With a terminal, as a person has one.
    const { stdout, status } = spawnSync("script", ["-qec", `stty cols 80 rows 24; ${line}`, "/dev/null"], {
      cwd: cwd ?? join(folder, where),
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 900_000,
    });
    const text = plain(stdout);
    say(text.trimEnd());
    if (status !== 0) say(`(exit ${status})`);
    const missing = shows.filter((part) => !part.test(text));
    const odd = hides.filter((part) => part.test(text));
    const problems = [
      ...(status === exit ? [] : [`exit ${status}, not ${exit}`]),
      ...missing.map((part) => `does not show ${part}`),
      ...odd.map((part) => `shows ${part}`),
    ];
    for (const problem of problems) wrong.push(`${title}: ${command}: ${problem}`);
  }
}

/** What a terminal shows of it: no escapes, no line that was drawn over. */
function plain(text: string): string {
  return text
    .replace(/\r/g, "")
    .replace(/.\u0008/g, "") // bold, as a man page writes it for a plain terminal
    .replace(/[⠋⠙⠸⠴⠦⠇] [^\n]*\n\u001b\[1A\u001b\[J\u001b\[1A\n/g, "") // a spinner that is gone again
    .replace(/\u001b(\[[0-9;?]*[a-zA-Z]|[()][A-Z0-9]|[=>])/g, "")
    .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏|/\\-]+ ?(?=\S)/gm, ""); // that of npm
}

function readme(line: string): string {
  if (!README.has(line)) wrong.push(`the README does not say: ${line}`);
  return line;
}

function say(text: string): void {
  told.push(text);
  console.log(text);
}

function versionOf(node: string): string {
  return spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  return major < 22 || (major === 22 && minor < 19);
}
