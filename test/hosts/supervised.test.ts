import { resolve } from "node:path";
import { describe, inject, test } from "vitest";
import { scripted } from "../../src/hosts/pi/scripted.ts";
import { programsOf } from "./binaries.ts";
import { bash, setUpOpenCode, todowrite } from "./opencode.ts";
import { placeIn } from "./real-host.ts";
import { texts } from "./script.ts";
import { useStage } from "./stage.ts";
import { supervisedSuite } from "./supervised-suite.ts";

// Hosts with our adapter inside, started by `tildone run --host`.
const stage = useStage("supervised");

describe("opencode", () => {
  const binary = inject("binaries").opencode;
  if ("skipped" in binary) {
    test.skip(`skipped: ${binary.skipped}`, () => {});
    return;
  }
  supervisedSuite({
    name: "opencode",
    folder: programsOf("opencode"),
    program: "opencode",
    unasked: [],
    limit: { status: 400, message: "Your quota is used up.", headers: { "retry-after": "1" } },
    shell: bash,
    list: todowrite,
    surroundings: () => ({
      sandbox: stage.sandbox,
      model: stage.model,
      env: setUpOpenCode(stage.sandbox, binary.path, { url: stage.model.url }).env,
    }),
  });
});

describe("pi", () => {
  supervisedSuite({
    name: "pi",
    program: "pi",
    folder: resolve("node_modules/.bin"),
    unasked: scripted.args({ home: "", project: "", tmp: "", url: "", adapter: resolve("dist/hosts/pi/index.js") }),
    shell: (command) => ["bash", { command }],
    list: (count, done) =>
      done === 0
        ? ["write_todos", { mode: "replace", todos: texts(count).map((text) => ({ text })) }]
        : ["edit_todos", { action: "complete", indices: [done - 1] }],
    surroundings: () => ({ sandbox: stage.sandbox, model: stage.model, env: setUpPi() }),
  });

  function setUpPi(): Readonly<Record<string, string>> {
    const place = placeIn(stage.sandbox, stage.model.url);
    for (const [path, text] of Object.entries(scripted.files(place))) stage.sandbox.write(`home/${path}`, text);
    return scripted.env(place);
  }
});
