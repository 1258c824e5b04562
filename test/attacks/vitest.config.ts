import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** What a hostile repository, model or neighbour would try. Each test failed before the guard it names was built. */
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    name: "attacks",
    include: ["test/attacks/**/*.test.ts"],
    globalSetup: ["test/e2e/build.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
