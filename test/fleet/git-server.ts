import { spawn } from "node:child_process";
import { freePort } from "./free-port.ts";

export interface GitServer extends AsyncDisposable {
  readonly port: number;
}

/** Repositories of a folder over the network, on loopback: everybody may push. It ends with the test, also one that is killed. */
export async function serveGit(folder: string): Promise<GitServer> {
  const port = await freePort();
  const flags = ["--listen=127.0.0.1", `--port=${port}`, "--reuseaddr", "--export-all", "--enable=receive-pack"];
  const script = '"$@" </dev/null & read -r line; kill -9 0';
  const shell = spawn("/bin/sh", ["-c", script, "sh", "git", "daemon", ...flags, `--base-path=${folder}`, folder], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true, // a group of its own: the server starts a process for each connection
  });
  const gone = new Promise((done) => shell.once("exit", done));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      shell.stdin.end();
      await gone;
    },
  };
}
