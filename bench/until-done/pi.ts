import { openStore } from "../../src/store/index.ts";
import type { Persona } from "../../src/testing/index.ts";
import { openSandbox, type Sandbox } from "../../test/e2e/pi/sandbox.ts";
import { type Cell, RUNAWAY, type System } from "./cell.ts";
import { boundedScript, characters, isReallyDone, layOut } from "./play.ts";
import { piTool } from "./tools.ts";

const QUICK = { TILDONE_COUNTDOWN: "0" };

export const piAlone: System = { name: "pi", play: (persona) => play(persona, { bare: true }) };
export const piWithTildone: System = { name: "pi + tildone", play: (persona) => play(persona, { bare: false }) };

async function play(persona: Persona, { bare }: { readonly bare: boolean }): Promise<Cell> {
  if (persona.workflow) return { status: "not run", why: "needs a workflow started by hand" };
  if (needsHands(persona)) return { status: "not run", why: "needs a human's hand, or an agent in the background" };
  const checks = bare ? [] : persona.checks.flatMap((check) => ["--til-done-check", check]);
  await using box = await openSandbox({
    script: boundedScript(persona, piTool),
    bare,
    env: QUICK,
    flags: [...(bare ? ["-ne"] : []), ...checks],
  });
  layOut(persona, box.cwd);
  const begun = performance.now();
  const { code } = await box.run("-p", persona.asks);
  const ms = performance.now() - begun;
  const reason = bare ? `exit ${code}` : await reasonOf(box);
  return {
    status: "ran",
    finished: isReallyDone(persona, box.cwd, box.env as NodeJS.ProcessEnv),
    claims: bare
      ? code === 0
        ? "done"
        : "not done"
      : reason === "all_done" || reason === "done_unproven"
        ? "done"
        : "not done",
    reason: box.model.requests.length > RUNAWAY ? "never stopped" : reason,
    requests: box.model.requests.length,
    added: bare ? 0 : characters(nudgesIn(box)),
    ms,
  };
}

/** What stood for the mechanism in the requests: user messages that the human did not write. */
function nudgesIn({ model }: Sandbox): readonly string[] {
  return model.requests.flatMap(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "user" && /Todos remain|Next action|\[tildone\]/.test(last.text) ? [last.text] : [];
  });
}

async function reasonOf(box: Sandbox): Promise<string> {
  const store = await openStore({ path: box.store });
  try {
    const [card] = store.runs.list();
    return (card?.summary as { reason?: string } | undefined)?.reason ?? "no list";
  } finally {
    store.close();
  }
}

export function needsHands(persona: Persona): boolean {
  const plays = persona.plays();
  for (let count = 0; count < 20; count++) {
    const { value, done } = plays.next({ user: "", results: [], turn: 1 });
    if (done) return false;
    if (value.meanwhile !== undefined) return true;
  }
  return false;
}
