// The hook: a host starts it at every call of a tool, so what most of them need is one small file.
import { type BundleOptions, bundle } from "./bundle.ts";

const FILES = {
  // What a call needs that finds no run, or one with nothing to refuse.
  first:
    /src\/(store\/(?!bun-driver)|config\/directories|core\/words\/guidance|core\/workflow\/never-gated|core\/call\/digest|hosts\/hook\/(payload|command|tools|happening|dialects|aside|failures|introduction|look-ahead|answer-(hook\.|happening)|door\/(door-of|question))|compose\/system-clock)/,
  // A stop looks at the files while the rest of it is loaded.
  look: /src\/checks\/workspace\//,
  // What a stop needs besides; workflows are read by a file of their own.
  run: /src\/(core|engine|config|compose\/(?!project-trust|read-workflows|system-clock)|hosts\/hook\/(?!start-workflow|main|door))/,
};

export function bundleHook(out: string, options: Omit<BundleOptions, "files"> = {}): Promise<void> {
  return bundle({ hook: "src/hosts/hook/main.ts" }, out, { ...options, files: FILES, format: "cjs" });
}
