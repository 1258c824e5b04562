import { files } from "./builtins.ts";

/**
 * Further entries of `stdio` for a command that is to get none of the files that this process was started with: an open folder
 * leads out of every enclosure. Node closes its own files in what it starts, and these not; Bun leaves some of its own open.
 */
export function withoutInherited(): readonly ("ignore" | number)[] {
  const numbers = open()
    .filter((number) => number > 2 && staysOpen(number))
    .sort((a, b) => a - b);
  const last = numbers.at(-1) ?? 2;
  return Array.from({ length: last - 2 }, (_, index) => (numbers.includes(index + 3) ? nothing() : "ignore"));
}

/** One open file for all: whatever is started gets it in place of another. */
function nothing(): number {
  if (NOTHING.length === 0) NOTHING.push(files().openSync("/dev/null", "r+"));
  return NOTHING[0]!;
}
const NOTHING: number[] = [];

/** Empty where the system does not tell. */
function open(): readonly number[] {
  try {
    return files().readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

const CLOSES_ON_EXEC = 0o2000000;

function staysOpen(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(files().readFileSync(`/proc/self/fdinfo/${number}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch {
    return false; // the one that listed the folder is closed again
  }
}
