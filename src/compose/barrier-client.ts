import type { Store } from "../engine/index.ts";

/**
 * Where a run's log is kept by another process as well, it says over a socket when what was appended is safe. Nothing of this is loaded in
 * a process without the variable.
 */
export function withBarrier(store: Store, path: string | undefined): Store {
  if (!path) return store;
  return { ...store, log: { ...store.log, barrier: (run) => askBarrier(path, run) } };
}

/** One line there, one line back: `ok`, or `refused <why>`. It takes as long as it takes: the process that waits may be ended meanwhile. */
async function askBarrier(path: string, run: string): Promise<void> {
  const { connect } = await import("node:net");
  const answer = await new Promise<string>((resolve, reject) => {
    let heard = "";
    const socket = connect(path, () => socket.write(`${run}\n`));
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      heard += text;
      if (!heard.includes("\n")) return;
      resolve(heard.slice(0, heard.indexOf("\n")));
      socket.destroy();
    });
    socket.on("error", (error) => reject(new Error(`${NOT_SAFE}: ${error.message}`)));
    socket.on("close", () => reject(new Error(`${NOT_SAFE}: the process that keeps it ended`)));
  });
  if (answer !== "ok") throw new Error(answer.replace(/^refused /, ""));
}

const NOT_SAFE = "the log could not be made safe";
