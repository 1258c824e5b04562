/** The lines that go and come between two texts, with a little of what stands around them. */
export function lineDiff(before: string, after: string): readonly string[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...a.slice(Math.max(0, head - AROUND), head).map((line) => `  ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `- ${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+ ${line}`),
    ...a.slice(a.length - tail, a.length - tail + AROUND).map((line) => `  ${line}`),
  ];
}

const AROUND = 2;
const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
