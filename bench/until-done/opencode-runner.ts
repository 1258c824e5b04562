// node opencode-runner.ts <opencode> <oh-my-openagent> <prompt>: a server of OpenCode, and the runner of oh-my-openagent attached to it.
// The runner could start its own, but gives that five seconds, which a busy machine does not always keep.
import { spawn } from "node:child_process";
import { serve } from "../../test/hosts/opencode.ts";

const [binary = "", peer = "", prompt = ""] = process.argv.slice(2);
const env = process.env as Readonly<Record<string, string>>;
const served = await serve({ project: process.cwd(), env }, binary, {});
const runner = spawn(process.execPath, [peer, "run", "--attach", served.url, "--model", "fake/m", prompt], {
  stdio: "inherit",
});
process.on("SIGINT", () => runner.kill("SIGINT"));
runner.once("close", (code, signal) => {
  void served.close().then(() => process.exit(signal ? 130 : (code ?? 1)));
});
