/** What pi says when it is left names pi; who started tildone continues with tildone. */
const PIS_LINE = /To resume this session:(\S*) pi (--\S[^\n]*)\n/;

export const exitLine = (text: string): string =>
  text.replace(PIS_LINE, (_line, style: string, options: string) => `Continue:${style} tildone chat ${options}\n`);

/** From now on, when nothing is drawn any more. */
export function sayOwnExitLine(stdout: Pick<NodeJS.WriteStream, "write">): void {
  const write = stdout.write.bind(stdout) as (...given: unknown[]) => boolean;
  stdout.write = (chunk: unknown, ...more: unknown[]) =>
    write(typeof chunk === "string" ? exitLine(chunk) : chunk, ...more);
}
