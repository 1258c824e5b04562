// The page of `tildone serve`: static files that ship in the package. Nothing of it is loaded from anywhere else.
import { build } from "vite";
import { DESIGN } from "../src/core/report/design.ts";

export async function buildPage(out: string): Promise<void> {
  await build({
    configFile: false,
    root: "src/page",
    logLevel: "warn",
    // The report is drawn with the same colours and shapes, as one file without a build.
    plugins: [
      {
        name: "design",
        resolveId: (id) => (id === "virtual:design.css" ? "\0virtual:design.css" : undefined),
        load: (id) => (id === "\0virtual:design.css" ? DESIGN : undefined),
      },
    ],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: `../../${out}`,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
}
