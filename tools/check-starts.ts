// Bundles the hook and the commands beside the build, and refuses what makes them load more than they need: a process that lives for a
// moment pays for every byte of code. A limit is what it was when it was set, and a little more; raise it with a reason.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundled, bundle, loadedWith } from "./bundle.ts";
import { bundleCli } from "./bundle-cli.ts";
import { bundleHook } from "./bundle-hook.ts";

interface Start {
  readonly name: string;
  /** The files that it asks for by name; what they load first comes with them. */
  readonly files: readonly string[];
  readonly mostFiles: number;
  readonly mostBytes: number;
  /** The only modules of Node that it may load before anything is done; all, where nothing is said. */
  readonly builtins?: readonly string[];
}

/** Node has loaded them itself by then, or loads them in no time. */
const CHEAP = ["node:fs", "node:os", "node:path", "node:url"];

const out = mkdtempSync(join(tmpdir(), "tildone-starts-"));
try {
  const hook = await bundleHook(join(out, "hook"));
  judge(hook, { name: "a call", files: ["hook.cjs", "dialect.cjs"], mostFiles: 3, mostBytes: 56_000, builtins: CHEAP });
  const stop = ["hook.cjs", "dialect.cjs", "look.cjs", "run.cjs"];
  judge(hook, { name: "what comes before git", files: stop.slice(0, 3), mostFiles: 5, mostBytes: 78_000 });
  // Bytes are letters: what stands beyond ASCII is written as an escape of six.
  const builtins = [...CHEAP, "node:child_process"];
  judge(hook, { name: "a stop", files: stop, mostFiles: 6, mostBytes: 604_000, builtins });

  const decision = await bundle({ decide: "bench/decide-once.ts" }, join(out, "decide"), { alone: true });
  judge(decision, { name: "a decision", files: ["decide.js"], mostFiles: 1, mostBytes: 120_000 });

  const cli = await bundleCli(join(out, "cli"));
  judge(cli, { name: "tildone --help", files: ["index.js"], mostFiles: 2, mostBytes: 42_000 });
  for (const name of ["status", "why", "log"])
    judge(cli, { name: `tildone ${name}`, files: [commandFile(cli, name)], mostFiles: 6, mostBytes: 393_000 });
  for (const name of ["todo", "hold", "say", "approvals"])
    judge(cli, { name: `tildone ${name}`, files: [commandFile(cli, name)], mostFiles: 11, mostBytes: 685_000 });
} finally {
  rmSync(out, { recursive: true, force: true });
}

function judge(bundled: Bundled, { name, files, mostFiles, mostBytes, builtins }: Start): void {
  const loaded = [...loadedWith(bundled, [...files, ...(bundled.has("index.js") ? ["index.js"] : [])])];
  const bytes = loaded.reduce((sum, file) => sum + bundled.get(file)!.bytes, 0);
  const says = `${name} loads ${loaded.length} files, ${bytes} bytes (${loaded.join(", ")})`;
  if (process.argv.includes("--show")) console.log(says);
  if (loaded.length > mostFiles || bytes > mostBytes)
    refuse(`${says}; the limit is ${mostFiles} files, ${mostBytes} bytes. Load what it does not need later.`);
  for (const file of loaded) {
    const { isAscii, builtins: asked } = bundled.get(file)!;
    if (!isAscii) refuse(`${file} is not ASCII: a tagged template holds what the bundler cannot escape.`);
    const dear = builtins && asked.filter((name) => !builtins.includes(name));
    if (dear && dear.length > 0)
      refuse(`${name} loads ${dear.join(", ")} with ${file}: leave the module that needs it to a file of its own.`);
  }
}

function refuse(says: string): void {
  console.error(says);
  process.exitCode = 1;
}

function commandFile(cli: Bundled, name: string): string {
  const end = `/src/cli/commands/${name}.ts`;
  for (const [file, { source }] of cli) if (source?.endsWith(end)) return file;
  throw new Error(`No file of the bundle is ${end}.`);
}
