import { bash } from "./opencode.ts";
import { lastList, nativeTools } from "./opencode-list.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";
import { personaSuite } from "./persona-suite.ts";

// With OpenCode's own list and tools, by one driver or the other.
const DRIVER: Readonly<Record<string, "run" | "serve">> = {
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
};
const ENV = { OPENCODE_PERMISSION: '{"doom_loop":"allow"}' };

describeOpenCode("personas in opencode", () => {
  const { setUp, start, model, sandbox, server, logged } = useOpenCode("opencode-personas");

  personaSuite({
    played: Object.keys(DRIVER),
    sandbox,
    model,
    shell: bash,
    tools: nativeTools,
    merge: lastList,
    settings: { continuation: { minimumGap: "0s" }, waits: { backoff: "500ms" } },
    play: async ({ name, asks }) => {
      if (DRIVER[name] === "run") {
        const { out, err } = await setUp({ env: ENV }).run(asks);
        return out + err;
      }
      const session = await start({ env: { ...ENV, TILDONE_COUNTDOWN: "100ms" } });
      await server().prompt(session, asks);
      await logged(({ ledger }) => ledger.decision?.type === "stop");
      return "";
    },
  });
});
