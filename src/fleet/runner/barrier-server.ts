import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Answers the processes of the agent: may what they decided leave? `decide` resolves with why not, or undefined. */
export async function openBarrierServer(run: string, decide: () => Promise<string | undefined>) {
  const folder = mkdtempSync(join(tmpdir(), "tildone-barrier-")); // a socket's path must be short
  chmodSync(folder, 0o700);
  const path = join(folder, "s");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (text: string) => {
      heard += text;
      const end = heard.indexOf("\n");
      if (end < 0 && heard.length > LONGEST) return void socket.destroy();
      if (end < 0) return;
      const asked = heard.slice(0, end);
      heard = heard.slice(end + 1);
      if (asked !== run) return void socket.end(`refused this worker works on ${run}, and nothing else\n`);
      decide().then(
        (why) => socket.end(why === undefined ? "ok\n" : `refused ${why.replaceAll("\n", " ")}\n`),
        (error: unknown) => socket.end(`refused ${String(error).replaceAll("\n", " ")}\n`),
      );
    });
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(path, done));
  return {
    path,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const LONGEST = 200;
