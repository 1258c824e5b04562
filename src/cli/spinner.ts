import type { Io } from "./io.ts";
import { styleOf } from "./style.ts";
import { clip } from "./wrap.ts";

const FRAMES = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];
export const FRAME_MS = 250;

/** The picture of this moment. */
export const frameAt = (now: number): string => FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length]!;

/** One line that moves while something takes its time; it is gone when what it gives is called. Nothing without a terminal. */
export function spin(io: Io, what: string | (() => string)): () => void {
  if (!io.isTerminal) return () => {};
  const text = () => (typeof what === "string" ? what : what());
  const draw = () => io.out(styleOf(io).role("dim", clip(`${frameAt(io.now())} ${text()}`, io.columns - 1)));
  draw();
  const stop = io.every(FRAME_MS, () => {
    io.out(ERASE);
    draw();
  });
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    stop();
    io.out(ERASE);
  };
}

/** The line above goes, and the cursor stands where it began. */
const ERASE = "\u001b[1A\u001b[J\u001b[1A";
