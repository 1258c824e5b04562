import { defineConfig } from "vitest/config";
import { trapsReporter } from "./test/hosts/traps-reporter.ts";

export default defineConfig({
  test: {
    reporters: ["default", trapsReporter("src/")],
    pool: "forks",
    maxWorkers: 2,
    // On a busy machine everything takes longer; what is asked again is asked long enough.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "test/**/*.test.ts",
            "tools/**/*.test.ts",
            "bench/**/*.test.ts",
            "examples/**/*.test.ts",
          ],
          exclude: [
            "test/e2e/**",
            "test/attacks/**",
            "test/hosts/**",
            "test/fleet/matrix/**",
            "node_modules/**",
            "dist/**",
          ],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/build.ts"],
          testTimeout: 120_000,
        },
      },
    ],
  },
});
