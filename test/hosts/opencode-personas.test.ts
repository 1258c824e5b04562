import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { decisionText } from "../../src/core/words/index.ts";
import {
  asCommand,
  type Call,
  PERSONAS,
  type Persona,
  type PersonaCall,
  type Script,
  scriptOf,
} from "../../src/testing/index.ts";
import { bash, isMain } from "./opencode.ts";
import { describeOpenCode, QUICK, useOpenCode } from "./opencode-stage.ts";

// Models that lie or run away, with OpenCode's own list and tools: the verdicts are those of the engine alone.
const DRIVER = {
  "marks everything done without work": "run",
  "marks everything done without work where nothing checks it": "serve",
  "edits the test instead of the code": "run",
  "deletes the tests": "serve",
  "abandons everything where nothing checks it": "run",
  "marks everything blocked": "serve",
  "claims in words only": "serve",
  "says ok": "run",
  "alternates two calls": "run",
  "toggles statuses": "serve",
  "rewords its todos": "run",
  "reads something new for ever": "run",
} as const;

describeOpenCode("personas in opencode", () => {
  const { setUp, start, model, sandbox, server, run, logged } = useOpenCode("opencode-personas");
  const ENV = { OPENCODE_PERMISSION: '{"doom_loop":"allow"}' };

  test.each(Object.entries(DRIVER))("a model that %s (%s)", async (name, driver) => {
    const persona = PERSONAS.find((each) => each.name === name)!;
    layOut(persona);
    model().play(natively(persona));
    if (driver === "run") await setUp({ env: ENV }).run(persona.asks);
    else {
      const session = await start({ env: { ...ENV, TILDONE_COUNTDOWN: "100ms" } });
      await server().prompt(session, persona.asks);
      await logged(({ ledger }) => ledger.decision?.type === "stop");
    }
    const { decision, spent } = (await run())!.ledger;
    const { reason, says = "", nudges } = persona.ends;
    expect(decision).toMatchObject({ type: "stop", reason });
    expect(decisionText(decision!)).toContain(says);
    expect(spent.continuations).toBeGreaterThanOrEqual(nudges.atLeast);
    expect(spent.continuations).toBeLessThanOrEqual(nudges.atMost);
  });

  function layOut({ project, checks }: Persona): void {
    for (const [path, content] of Object.entries(project)) sandbox().write(`project/${path}`, content);
    const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    spawnSync("git", ["-C", sandbox().project, "add", "-A"]);
    spawnSync("git", ["-C", sandbox().project, ...author, "commit", "-qm", "the project"]);
    const run = checks.map((check) => `\n    - ${check}`).join("");
    sandbox().write("home/.config/tildone/config.yaml", `${QUICK}${run && `checks:\n  run:${run}\n`}`);
  }
});

/** A persona with OpenCode's tools: its list is one call that says all of it, so only the last of an answer is made. */
function natively(persona: Persona): Script {
  const play = scriptOf(persona, toolsOf());
  if (typeof play !== "function") throw new Error("a persona answers what it is asked");
  return (request, count) => {
    if (!isMain(request)) return { text: "A title" };
    const step = play(request, count);
    const last = step.calls?.findLast(([tool]) => tool === "todowrite");
    return step.calls
      ? { ...step, calls: step.calls.filter((call) => call[0] !== "todowrite" || call === last) }
      : step;
  };
}

interface Item {
  readonly content: string;
  readonly priority: string;
  status: string;
}

function toolsOf(): (call: PersonaCall) => Call {
  let list: Item[] = [];
  const whole = (): Call => ["todowrite", { todos: list.map((item) => ({ ...item })) }];
  return (call) => {
    const command = asCommand(call);
    if (command !== undefined) return bash(command);
    if (call.tool === "write_todos") {
      const { mode, todos } = call.input as { mode: string; todos: { text: string }[] };
      const items = todos.map(({ text }) => ({ content: text, priority: "medium", status: "pending" }));
      list = mode === "replace" ? items : [...list, ...items];
      return whole();
    }
    if (call.tool !== "edit_todos") return [call.tool, call.input];
    const { action, indices, reason } = call.input as { action: string; indices: number[]; reason?: string };
    if (action === "block") return ["block_todos", { indices, reason }];
    const status = { start: "in_progress", complete: "completed", abandon: "cancelled" }[action] ?? "pending";
    for (const index of indices) list[index]!.status = status;
    return whole();
  };
}
