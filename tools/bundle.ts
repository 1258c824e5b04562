// One file out of many: a process that lives for one event pays more for each module than for all its work.
// What is loaded with `import()` stays a file of its own, packages and built-in modules stay outside.
import { build } from "vite";

export interface BundleOptions {
  /** Packages come with it. */
  readonly alone?: boolean;
  /** Modules that get a file of their own by name, the first that fits: one file is loaded faster than many. */
  readonly files?: Readonly<Record<string, RegExp>>;
  /** `<name>.cjs` instead of `<name>.js`: Node loads CommonJS in half the time, which only a process of 50 ms notices. */
  readonly format?: "cjs" | "es";
}

/** Writes one file for each entry (a source file by its name). */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  out: string,
  { alone = false, files, format = "es" }: BundleOptions = {},
): Promise<void> {
  const extension = format === "cjs" ? "cjs" : "js";
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
        treeshake: { moduleSideEffects: false }, // no module of ours does anything by being loaded, but for the entries
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name].${extension}`,
          ...(files && { codeSplitting: { includeDependenciesRecursively: false, groups: groupsOf(files) } }),
        },
      },
    },
  });
}

const groupsOf = (files: Readonly<Record<string, RegExp>>) =>
  Object.entries(files).map(([name, test], at) => ({ name, test, priority: 100 - at }));
