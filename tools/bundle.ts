// One file out of many: a process that lives for one event pays more for each module than for all its work.
// What is loaded with `import()` stays a file of its own, packages and built-in modules stay outside.
import { build } from "vite";

/** Writes `<out>/<name>.js` for each entry (a source file by its name). `alone`: packages come with it. */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  out: string,
  { alone = false } = {},
): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    ...(alone && { ssr: { noExternal: true } }),
    build: {
      ssr: true,
      target: "node22",
      minify: false,
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: {
        input: { ...entries },
        external: [/^bun:/],
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}
