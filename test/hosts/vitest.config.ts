import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { trapsReporter } from "./traps-reporter.ts";

export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    name: "hosts",
    reporters: ["default", trapsReporter("test/hosts/")],
    include: ["test/hosts/**/*.test.ts"],
    globalSetup: ["test/hosts/setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 60_000, // a host that starts or ends beside another test takes its time
  },
});
