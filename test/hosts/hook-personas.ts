import { beforeEach, inject, test } from "vitest";
import type { RealHost } from "./hosts.ts";
import { personaSuite } from "./persona-suite.ts";
import { useStage } from "./stage.ts";

const PLAYED = [
  "marks everything done without work",
  "edits the test instead of the code",
  "makes the check succeed whatever happens",
  "passes once and then breaks it",
  "says ok",
  "alternates two calls",
  "reads something new for ever",
];

/** Personas in a host that calls our hooks. */
export function hookPersonas(host: RealHost): void {
  const binary = inject("binaries")[host.name];
  if ("skipped" in binary) {
    test.skip(`${host.name} skipped: ${binary.skipped}`, () => {});
    return;
  }
  const stage = useStage(`${host.name}-persona`);
  beforeEach(() => {
    host.configure(stage.sandbox, stage.model.url);
    stage.sandbox.tildone("install", host.name);
  });

  personaSuite({
    played: PLAYED,
    sandbox: () => stage.sandbox,
    model: () => stage.model,
    shell: host.shell,
    tools: () => (call) => host.ours(call.tool, call.input),
    play: async ({ asks }) => {
      const { out, err } = await host.start(stage.sandbox, binary.path, stage.model.url, { prompt: asks });
      return out + err;
    },
  });
}
