// The hook: a host starts it at every call of a tool, so what most of them need is one small file.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BundleOptions, bundle } from "./bundle.ts";

const FILES = {
  // What a call needs that finds no run, or one with nothing to refuse.
  first:
    /src\/(store\/(?!bun-driver|tail-of)|config\/directories|core\/words\/guidance|core\/workflow\/never-gated|core\/call\/digest|core\/command\/(order|read)|machine\/(attempt|make-folder|builtins|hash|pure-hash|system-clock|this-machine)|hooks\/(payload|capabilities|command|common-answers|native-item|stop-failure|reads-as|tools|happening|host-files|transcripts|failures|is-running|introduction|look-ahead|plain-api-error|answer-(hook\.|happening)|door\/(door-of|question|likeness)))/,
  // A stop looks at the files while the rest of it is loaded.
  look: /src\/checks\/workspace\//,
  // What a stop needs besides; workflows are read by a file of their own.
  run: /src\/(store\/tail-of|core|engine|config|compose\/(?!project-trust|project-files|pi-files|describe-trust|read-workflows|start-workflow|system-clock)|hooks\/(?!start-workflow|door))/,
};

export async function bundleHook(out: string, options: Omit<BundleOptions, "files"> = {}): Promise<void> {
  await bundle({ hook: "src/hosts/hook.ts" }, out, { ...options, files: FILES, format: "cjs" });
  // What a host's words need stands in `first`, too: `run` would be loaded before it, and half of it would be missing.
  for (const file of readdirSync(out).filter((name) => /^(?:first|dialect\d*)\.cjs$/.test(name)))
    refuseDetours(join(out, file));
}

/** A module that stands in no row above ends up in `run`, and whoever imports it from here makes every call load all of it. */
function refuseDetours(file: string): void {
  const [loaded] =
    readFileSync(file, "utf8").match(/^(?:const|let|var) \w+ = require\("\.\/(?!rolldown|first)[^"]+"\)/m) ?? [];
  if (loaded !== undefined)
    throw new Error(`${file} begins with ${loaded}: name the module it needs in ${import.meta.filename}.`);
}
