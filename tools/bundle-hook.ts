// The hook: a host starts it at every call of a tool, so what most of them need is one small file.
import { type Bundled, type BundleOptions, bundle, refuseCircles } from "./bundle.ts";

const FILES = {
  // What a call needs that finds no run, or one with nothing to refuse.
  first:
    /src\/(store\/(?!bun-driver|tail-of|open-store)|config\/directories|core\/words\/guidance|core\/workflow\/never-gated|core\/call\/digest|core\/command\/(order|read)|machine\/(attempt|make-folder|builtins|file-time|hash|pure-hash|system-clock|this-machine|process-start)|hooks\/(payload|capabilities|command|common-answers|native-item|stop-failure|reads-as|tools|happening|host-files|transcripts|failures|introduction|look-ahead|plain-api-error|answer-(hook\.|happening)|door\/(door-of|question|likeness)))/,
  // A stop looks at the files while the rest of it is loaded.
  look: /src\/checks\/workspace\//,
  // What a stop needs besides; workflows are read by a file of their own.
  run: /src\/(store\/(tail-of|open-store)|machine\/(holds-folder|is-repository|lineage|process-groups)|drivers|core|engine|config|compose\/(?!project-trust|project-files|pi-files|describe-trust|read-workflows|start-workflow|system-clock)|hooks\/(?!start-workflow|door|heard))|get-east-asian-width/,
};

export async function bundleHook(out: string, options: Omit<BundleOptions, "files"> = {}): Promise<Bundled> {
  const bundled = await bundle({ hook: "src/hosts/hook.ts" }, out, { ...options, files: FILES, format: "cjs" });
  // What they need stands in `first`, too: every call would load all of `run` otherwise, and a stop before it asks git.
  for (const [file, { first }] of bundled)
    if (/^(?:first|look|dialect\d*)\.cjs$/.test(file))
      for (const needed of first.filter((name) => !/^(?:first|rolldown)/.test(name)))
        throw new Error(`${file} begins with ${needed}: name the module it needs in ${import.meta.filename}.`);
  refuseCircles(bundled, import.meta.filename);
  return bundled;
}
