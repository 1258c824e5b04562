import { defineConfig } from "vitest/config";

/** Real workers, killed and frozen: minutes. */
export default defineConfig({
  test: {
    include: ["test/fleet/matrix/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
