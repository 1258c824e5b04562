// The hook: a host starts it at every call of a tool, so what most of them need is one small file.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BundleOptions, bundle } from "./bundle.ts";

const FILES = {
  // What a call needs that finds no run, or one with nothing to refuse.
  first:
    /src\/(store\/(?!bun-driver|tail-of)|config\/directories|core\/words\/guidance|core\/workflow\/never-gated|core\/call\/digest|core\/command\/(order|read)|machine\/(attempt|make-folder|builtins|hash|pure-hash|system-clock|this-machine|process-start)|hooks\/(payload|capabilities|command|common-answers|native-item|stop-failure|reads-as|tools|happening|host-files|transcripts|failures|introduction|look-ahead|plain-api-error|answer-(hook\.|happening)|door\/(door-of|question|likeness)))/,
  // A stop looks at the files while the rest of it is loaded.
  look: /src\/checks\/workspace\//,
  // What a stop needs besides; workflows are read by a file of their own.
  run: /src\/(store\/tail-of|machine\/(lineage|process-groups)|drivers|core|engine|config|compose\/(?!project-trust|project-files|pi-files|describe-trust|read-workflows|start-workflow|system-clock)|hooks\/(?!start-workflow|door))/,
};

export async function bundleHook(out: string, options: Omit<BundleOptions, "files"> = {}): Promise<void> {
  await bundle({ hook: "src/hosts/hook.ts" }, out, { ...options, files: FILES, format: "cjs" });
  const files = readdirSync(out);
  // What a host's words need stands in `first`, too: every call would load all of `run` otherwise.
  for (const file of files.filter((name) => /^(?:first|dialect\d*)\.cjs$/.test(name)))
    for (const needed of loadedFirst(out, file).filter((name) => !/^(?:first|rolldown)/.test(name)))
      throw new Error(`${file} begins with ${needed}: name the module it needs in ${import.meta.filename}.`);
  for (const file of files) refuseCircles(out, [file]);
}

/** The files that a file loads before its own first line. */
const loadedFirst = (out: string, file: string): readonly string[] =>
  [...readFileSync(join(out, file), "utf8").matchAll(/^(?:const|let|var) \w+ = require\("\.\/([^"]+)"\)/gm)].map(
    ([, name]) => name!,
  );

/** Of two files that load each other first one is half empty, and which one depends on who comes first: some hooks would fail. */
function refuseCircles(out: string, path: readonly string[]): void {
  for (const next of loadedFirst(out, path.at(-1)!)) {
    if (path.includes(next))
      throw new Error(`${[...path, next].join(" loads ")}: name the modules they share in ${import.meta.filename}.`);
    refuseCircles(out, [...path, next]);
  }
}
