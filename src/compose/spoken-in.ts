import type { Spoken } from "../core/speaker/index.ts";
import { lineageOf } from "../machine/index.ts";

/** What a host reports as typed by you, with the terminal that it stands in. Looked up once, when you first say something. */
export function spokenIn(host: string): () => Spoken {
  let said: Spoken | undefined;
  return () => {
    said ??= look(host);
    return said;
  };
}

function look(host: string): Spoken {
  const uid = process.getuid?.();
  const tty = lineageOf()[0]?.tty;
  return { via: "host", host, tty, uid };
}
