import { dirname, join, resolve } from "node:path";
import { asCommand, type Call, type PersonaCall, startScriptedModel } from "../../src/testing/index.ts";
import { BINARIES, binaryOf, installed, type Release } from "../../test/hosts/binaries.ts";
import { setUpOpenCode } from "../../test/hosts/opencode.ts";
import { createSandbox } from "../../test/hosts/sandbox.ts";
import type { System } from "./cell.ts";
import { onScreen } from "./on-screen.ts";
import { isOnScreen } from "./personas.ts";
import { asksOf, layOut, type Means } from "./play.ts";
import { playOn, type Stage } from "./stage.ts";
import { settingsFor, verdictIn } from "./tildone.ts";
import { ownList } from "./tools.ts";

const { version, start } = BINARIES.opencode;
const BINARY = join(resolve(".hosts", `opencode-${version}`), start);
const RUNNER = join(import.meta.dirname, "opencode-runner.ts");
const SESSION = join(import.meta.dirname, "opencode-session.ts");

interface Entrant {
  readonly name: string;
  readonly version: string;
  readonly plugins: readonly string[];
  readonly needs?: Release;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * `run` ends with its first idle moment; a session of `serve` lives on, as it does in the terminal interface; oh-my-openagent
   * has a runner of its own that waits until its list is done.
   */
  readonly mode: "run" | "serve" | "runner" | "supervised";
  readonly speaks: "exit code" | "log";
  readonly background?: Means["background"];
}

const TILDONE = resolve("dist/hosts/opencode/index.js");
/** A system that starts OpenCode itself finds it. */
const AT_HAND = { PATH: `${dirname(BINARY)}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
/** Installed for this benchmark alone; OpenCode runs no scripts of a plugin it installs either. */
const RELEASE: Release = {
  package: "oh-my-openagent",
  version: "4.19.4",
  start: "node_modules/oh-my-openagent/dist/index.js",
  flags: ["--ignore-scripts"],
};
const PEER = resolve(`.hosts/oh-my-openagent-${RELEASE.version}/node_modules/oh-my-openagent`);
const OH_MY_OPENAGENT = {
  version: `${version}, oh-my-openagent ${RELEASE.version}`,
  needs: RELEASE,
  plugins: [join(PEER, "dist/index.js")],
  speaks: "exit code",
  background: (prompt: string): Call => [
    "task",
    { description: "product", prompt, subagent_type: "explore", run_in_background: true, load_skills: [] },
  ],
  env: { ...AT_HAND, OMO_DISABLE_POSTHOG: "1" },
} as const;
const ENTRANTS: readonly Entrant[] = [
  { name: "OpenCode", version, plugins: [], mode: "run", speaks: "exit code" },
  { name: "OpenCode + tildone", version, plugins: [TILDONE], mode: "run", speaks: "log" },
  { name: "tildone run --host opencode", version, plugins: [TILDONE], mode: "supervised", speaks: "log", env: AT_HAND },
  { ...OH_MY_OPENAGENT, name: "OpenCode + oh-my-openagent", mode: "runner" },
  { ...OH_MY_OPENAGENT, name: "OpenCode serve + oh-my-openagent", mode: "serve" },
  { name: "OpenCode serve", version, plugins: [], mode: "serve", speaks: "exit code" },
  { name: "OpenCode serve + tildone", version, plugins: [TILDONE], mode: "serve", speaks: "log" },
];

export const OPENCODE_SYSTEMS: readonly System[] = ENTRANTS.map((entrant) => ({
  name: entrant.name,
  version: entrant.version,
  family: "OpenCode",
  ...(entrant.speaks === "log" && { isOurs: true }),
  ...(entrant.plugins.length > 0 && { beside: entrant.mode === "serve" ? "OpenCode serve" : "OpenCode" }),
  whyNot: () => {
    const needed = [binaryOf("opencode"), ...(entrant.needs ? [installed("oh-my-openagent", entrant.needs)] : [])];
    return needed.flatMap((got) => ("skipped" in got ? [got.skipped] : []))[0];
  },
  ...(entrant.mode === "serve" && { onlyInFull: true }),
  ...(entrant.mode === "supervised" && { exitsForUs: true }),
  play: (persona, terms) => playOn(stageOf(entrant), persona, terms),
}));

/** Its agents work in the background only where that is asked for. */
const inBackground = (prompt: string): Call => [
  "task",
  { description: "product", prompt, subagent_type: "general", background: true },
];
const WITH_BACKGROUND = { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" };

const stageOf = ({ plugins, mode, speaks, background = inBackground, env = {} }: Entrant): Stage => ({
  tools: () => {
    const own = ownList((items) => [
      "todowrite",
      { todos: items.map(({ text, status }) => ({ content: text, status, priority: "medium" })) },
    ]);
    const toolOf = (call: PersonaCall): Call => {
      const command = asCommand(call);
      if (command !== undefined) return ["bash", { command, description: "work" }];
      return own.call(call) ?? [call.tool, call.input];
    };
    return { call: toolOf, list: own.items };
  },
  means: {
    compacts: { tokens: 99_000, in: "this" }, // of a hundred thousand
    background,
    ...((mode === "run" || mode === "runner") && { screen: { asksAfterStop: 0 } }),
    // An undeclared change of a test is a doubt only to tildone.
    listLacks: ["blocked items", ...(speaks === "log" ? (["declared files"] as const) : [])],
  },
  async setUp(persona, script, defer) {
    const model = await startScriptedModel(script);
    defer(() => model.close());
    const sandbox = createSandbox("opencode");
    defer(() => sandbox.remove());
    layOut(persona, sandbox.project);
    sandbox.write("home/.config/tildone/config.json", settingsFor(persona));
    const host = setUpOpenCode(sandbox, BINARY, {
      url: model.url,
      config: { plugin: plugins },
      env: { ...WITH_BACKGROUND, ...env },
    });
    const asks = asksOf(persona);
    const [program, ...args] = {
      run: [BINARY, "run", "--format", "json", asks],
      runner: [process.execPath, RUNNER, BINARY, join(PEER, "bin/oh-my-opencode.js"), asks],
      supervised: [process.execPath, resolve("bin/tildone.js"), "run", "--host", "opencode", asks],
      serve: [process.execPath, SESSION, BINARY, asks],
    }[mode] as [string, ...string[]];
    return {
      model,
      project: sandbox.project,
      program,
      args,
      env: { ...sandbox.env, ...host.env },
      // The first Esc asks for the second.
      ...(isOnScreen(persona) &&
        onScreen({ line: [BINARY, "--prompt", asks], stop: ["Escape", "Escape"] }, { ...sandbox.env, ...host.env })),
      ...(speaks === "log" && { shows: () => verdictIn(join(sandbox.home, ".local/state/tildone/tildone.db")) }),
    };
  },
});
