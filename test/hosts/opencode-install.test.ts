import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { type Registry, startRegistry } from "./loopback-registry.ts";
import { stepwise, turns } from "./opencode.ts";
import { describeOpenCode, useOpenCode } from "./opencode-stage.ts";

describeOpenCode("how it is named in opencode.json", () => {
  const { setUp, sandbox, model, run } = useOpenCode("opencode-install");
  let registry: Registry | undefined;
  afterEach(() => registry?.close());

  const finishesAList = async (plugin: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    model().play(turns(stepwise(1)));
    const { code, err } = await setUp({ plugin, env }).run("do it all", "--print-logs", "--log-level", "WARN");
    expect(code, err).toBe(0);
    expect(
      (await run())?.plan.todos.map(({ status }) => status),
      err,
    ).toEqual(["completed"]);
  };

  test("the folder of the package", () => finishesAList(resolve(".")));

  test("a file url", () => finishesAList(pathToFileURL(resolve("dist/hosts/opencode/index.js")).href));

  test("the name of the package, which OpenCode installs from a registry", async () => {
    registry = await startRegistry(join(sandbox().home, "packed"));
    await finishesAList("tildone", { npm_config_registry: registry.url });
    expect(registry.asked).toContain("tildone");
    const packages = join(sandbox().home, ".cache/opencode/packages");
    expect(globSync("tildone*/node_modules/tildone/dist/hosts/opencode/index.js", { cwd: packages })).toHaveLength(1);
  });
});
