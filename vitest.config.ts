import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["test/hosts/**", "node_modules/**", "dist/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
