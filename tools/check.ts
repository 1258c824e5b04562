// The fast check: types, purity of the core, lint and format, boundaries, what a short process loads, plain words, unused code, generated docs.
// All run even when one fails, so that one call shows every mistake.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const CHECKS: readonly { name: string; command: string[]; needs?: string }[] = [
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "types of the page", command: ["tsc", "-p", "tsconfig.page.json"] },
  { name: "core is pure", command: ["tsc", "-p", "tsconfig.core.json"] },
  { name: "lint and format", command: ["biome", "check", "."] },
  { name: "boundaries", command: ["node", "tools/boundaries.ts"] },
  { name: "what a short process loads", command: ["node", "tools/check-starts.ts"] },
  { name: "plain words", command: ["node", "tools/check-words.ts"] },
  { name: "unused code", command: ["knip"] },
  { name: "unused code, tests aside", command: ["knip", "--production"] },
  { name: "generated docs", command: ["node", "tools/docs.ts", "--check"], needs: "tools/docs.ts" },
];

const results = await Promise.all(CHECKS.filter((check) => !check.needs || existsSync(check.needs)).map(run));
for (const { name, code, output, ms } of results) {
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} (${(ms / 1000).toFixed(1)} s)`);
  if (code !== 0) console.log(output);
}
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);

async function run({ name, command }: (typeof CHECKS)[number]) {
  const begun = performance.now();
  const child = spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (chunk: unknown) => {
    output += String(chunk);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise<number>((done) => {
    child.on("error", (error) => {
      keep(error);
      done(1);
    });
    child.on("close", (status) => done(status ?? 1));
  });
  return { name, code, output, ms: performance.now() - begun };
}
