// One file out of many: a process that lives for a moment pays more for each module than for all its work.
// What is loaded with `import()` stays a file of its own, packages and built-in modules stay outside.
import { build, type Rolldown } from "vite";

export interface BundleOptions {
  /** Packages come with it. */
  readonly alone?: boolean;
  /** Modules that get a file of their own by name, the first that fits: one file is loaded faster than many. */
  readonly files?: Readonly<Record<string, RegExp>>;
  /** `<name>.cjs` instead of `<name>.js`: Node loads CommonJS in half the time, which only a process of 50 ms notices. */
  readonly format?: "cjs" | "es";
}

/** Packages of a few lines: to find them takes Node longer than to read them. */
const SMALL = ["get-east-asian-width", "jsonc-parser"];

/** The files that were written, by their names. */
export type Bundled = ReadonlyMap<string, BundledFile>;

interface BundledFile {
  readonly bytes: number;
  /** Files of the bundle that it loads before its own first line. */
  readonly first: readonly string[];
  /** Modules of Node that it loads there, too. */
  readonly builtins: readonly string[];
  /** One letter beyond Latin-1, and the engine of JavaScript keeps and reads the whole file in two bytes a letter. */
  readonly isAscii: boolean;
  /** The source file that it stands for, where others load it by its name. */
  readonly source: string | null;
}

/** Writes one file for each entry (a source file by its name). */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  out: string,
  { alone = false, files, format = "es" }: BundleOptions = {},
): Promise<Bundled> {
  const extension = format === "cjs" ? "cjs" : "js";
  const built = (await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: alone || SMALL },
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
        checks: { ineffectiveDynamicImport: false }, // what is lazy for a host may be shared by commands
        output: {
          format,
          // Comments and indentation are half of the text that Node reads at every start; names stay, so that errors can be read.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          charset: "ascii",
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name].${extension}`,
          ...(files && { codeSplitting: { includeDependenciesRecursively: false, groups: groupsOf(files) } }),
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  const written = built.output.filter((file) => file.type === "chunk");
  const names = new Set(written.map(({ fileName }) => fileName));
  return new Map(
    written.map(({ fileName, code, imports, facadeModuleId }) => [
      fileName,
      {
        bytes: Buffer.byteLength(code),
        first: imports.filter((name) => names.has(name)),
        builtins: imports.filter((name) => name.startsWith("node:")),
        isAscii: Buffer.byteLength(code) === code.length,
        source: facadeModuleId,
      },
    ]),
  );
}

const groupsOf = (files: Readonly<Record<string, RegExp>>) =>
  Object.entries(files).map(([name, test], at) => ({ name, test, priority: 100 - at }));

/** What these files load before anything is done, themselves included. */
export function loadedWith(bundled: Bundled, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const take = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    bundled.get(file)!.first.forEach(take);
  };
  files.forEach(take);
  return found;
}

/** Of two files that load each other first one is half empty, and which one depends on who comes first: some starts would fail. */
export function refuseCircles(bundled: Bundled, where: string): void {
  const whole = new Set<string>();
  const follow = (path: readonly string[]): void => {
    const file = path.at(-1)!;
    if (whole.has(file)) return;
    for (const next of bundled.get(file)!.first) {
      if (path.includes(next))
        throw new Error(`${[...path, next].join(" loads ")}: name the modules they share in ${where}.`);
      follow([...path, next]);
    }
    whole.add(file);
  };
  for (const file of bundled.keys()) follow([file]);
}
