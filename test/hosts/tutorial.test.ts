import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import { HOST_NAMES, type HookHostName, type HostName } from "../../src/config/index.ts";
import { HOOK_PROFILES, PROFILES, type ScriptedHost, scriptedHost } from "../../src/hosts/index.ts";
import type { ModelRequest, Step } from "../../src/testing/index.ts";
import { programsOf } from "./binaries.ts";
import { realHost } from "./hosts.ts";
import { placeIn } from "./real-host.ts";
import type { Sandbox } from "./sandbox.ts";
import { isMain } from "./script.ts";
import { useStage } from "./stage.ts";
import { hasTmux, useHostTerminal } from "./terminal.ts";

// docs/tutorial.md, followed literally: every line of a host's block, and the way out again, on the real host in a terminal.
const PAGE = readFileSync("docs/tutorial.md", "utf8");

interface Section {
  readonly lines: readonly string[];
  readonly wayOut?: string;
}

function sectionOf(host: HostName): Section {
  const section = PAGE.split(/^## /m).find((part) => part.includes(`tildone doctor ${host}`))!;
  const [, block] = /```sh\n(.*?)```/s.exec(section)!;
  const wayOut = /Out again: `([^`]+)`/.exec(section)?.[1];
  return { lines: block!.trim().split("\n"), ...(wayOut !== undefined && { wayOut }) };
}

/** What a person who uses the host has on the machine already: the host, its settings, and tildone as `npm link` leaves it. */
function aMachine(sandbox: Sandbox, host: HostName, scripted: ScriptedHost, url: string) {
  const prefix = join(sandbox.home, "prefix");
  for (const folder of ["bin", "lib/node_modules"]) mkdirSync(join(prefix, folder), { recursive: true });
  symlinkSync(process.cwd(), join(prefix, "lib/node_modules/tildone"));
  symlinkSync("../lib/node_modules/tildone/bin/tildone.js", join(prefix, "bin/tildone"));
  const place = placeIn(sandbox, url);
  for (const [path, text] of Object.entries(scripted.files(place))) {
    const usual = USUAL[host]?.(text, path) ?? text;
    sandbox.write(`home/${path}`, usual);
  }
  const programs = host === "pi" ? resolve("node_modules/.bin") : programsOf(host);
  return {
    ...scripted.env(place),
    PATH: [join(prefix, "bin"), programs, dirname(process.execPath), sandbox.env.PATH].join(":"),
    npm_config_prefix: prefix,
    npm_config_update_notifier: "false",
  };
}

/** Others would be asked for their own tools first, or to review hooks: interrupt.test.ts and supervised-terminal.test.ts type there. */
const TYPED_HERE: ReadonlySet<HostName> = new Set(["claude-code", "opencode"]);

/** How a person chose a model, where the demo says it with an argument; and no tildone yet. */
const USUAL: Partial<Record<HostName, (text: string, path: string) => string>> = {
  qwen: (text) => changed(text, { security: { auth: { selectedType: "openai" } } }),
  opencode: (text, path) => (path.endsWith("opencode.json") ? changed(text, { plugin: undefined }) : text),
  pi: (text, path) =>
    path.endsWith("settings.json") ? changed(text, { defaultProvider: "scripted", defaultModel: "m" }) : text,
};
const changed = (text: string, more: object): string => JSON.stringify({ ...JSON.parse(text), ...more });

describe.skipIf(!hasTmux).each(HOST_NAMES)("the tutorial of %s", (host) => {
  const binary = host === "pi" ? { path: "" } : inject("binaries")[host];
  const stage = useStage("tutorial");
  const terminal = useHostTerminal();

  test.skipIf("skipped" in binary)("works line by line, and leads out again", async () => {
    const { sandbox, model } = stage;
    const scripted = await scriptedHost(host);
    const real = host in HOOK_PROFILES ? await realHost(host as HookHostName) : undefined;
    real?.screen.prepare?.(sandbox);
    const env = aMachine(sandbox, host, scripted, model.url);
    const before = real?.config(sandbox).map(textOf);
    const { lines, wayOut } = sectionOf(host);
    const sh = async (line: string) => {
      const { code, out, err } = await sandbox.run("sh", ["-c", line], env);
      expect(code, `$ ${line}\n${out}${err}`).toBe(0);
      return out;
    };
    model.play(working(host, scripted));
    const isTyped = (line: string) => line.startsWith(`${PROFILES[host].program} `) && !line.startsWith("pi install");
    for (const line of lines) {
      if (isTyped(line)) await typed(line);
      else if (line === "tildone doctor codex")
        await expect(sh(line)).rejects.toThrow(/type \/hooks/); // only you can review hooks
      else {
        const out = await sh(line);
        if (line.startsWith("tildone doctor")) expect(out).not.toMatch(/^FIX/m);
      }
    }

    async function typed(line: string): Promise<void> {
      if (!TYPED_HERE.has(host)) return;
      terminal.start(sandbox, env, ["sh", "-c", line.replaceAll("'", "'\\''")]);
      await expect
        .poll(() => sh("tildone status"), { timeout: 200_000, interval: 2_000 })
        .toMatch(/1\/1/)
        .catch((error: unknown) => {
          throw new Error(`${String(error)}\n${terminal.screen()}`);
        });
      expect(await sh("tildone log")).toMatch(/began \(nudge\)/);
    }
    if (wayOut === undefined) return;
    await sh(wayOut);
    if (real && host !== "claude-code") expect(real.config(sandbox).map(textOf)).toEqual(before);
  });
});

/** It writes a list and stops; told to continue, it finishes. */
function working(host: HostName, scripted: ScriptedHost) {
  let looks = 20;
  const tools = scripted.tools();
  const edit = (action: string) => tools.ours("edit_todos", { action, indices: [0] });
  const steps: Step[] = [
    { calls: [tools.ours("write_todos", { mode: "replace", todos: [{ text: "Look at the tests" }] })] },
    { text: "I have written the list." },
    { calls: [edit("start")] },
    { calls: [edit("complete")] },
    { text: "Done." },
  ];
  return (request: ModelRequest): Step => {
    if (!isMain(request)) return { text: "A title" };
    // A server that still starts when the model is first asked has no tools to offer; a person types later.
    const isOffered = request.tools.some((name) => name.endsWith("write_todos"));
    if (!isOffered && host === "claude-code" && looks-- > 0)
      return { calls: [["Glob", { pattern: "*" }]], after: sleep(500) };
    return steps.shift() ?? { text: "Done." };
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
