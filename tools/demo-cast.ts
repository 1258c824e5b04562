// Plays the demo and draws docs/demo.svg from what it printed: an animation without a service, a font or a script.
// node tools/demo-cast.ts   (after a build)
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { castSvg } from "./cast-svg.ts";

const home = mkdtempSync(join(tmpdir(), "tildone-cast-"));
const env = { ...process.env, FORCE_COLOR: "1", HOME: home, TILDONE_HOME: join(home, "tildone") };
const child = spawn(process.execPath, ["bin/tildone.js", "demo"], { env, stdio: ["ignore", "pipe", "inherit"] });
let out = "";
child.stdout.setEncoding("utf8").on("data", (text: string) => {
  out += text;
});
const code = await new Promise<number | null>((done) => child.once("close", done));
rmSync(home, { recursive: true, force: true });
if (code !== 0) throw new Error(`the demo ended with ${code}:\n${out}`);
const shown = out
  .replaceAll(/\/\S*tildone-demo-\w+/g, "/tmp/demo")
  .trimEnd()
  .split("\n");
writeFileSync("docs/demo.svg", castSvg(["$ tildone demo", ...shown]));
console.log("wrote docs/demo.svg");
