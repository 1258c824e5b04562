import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    name: "hosts",
    include: ["test/hosts/**/*.test.ts"],
    globalSetup: ["test/hosts/setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
