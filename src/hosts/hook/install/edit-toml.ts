/** One table of a TOML file that is ours. Everything else in the file keeps its bytes. */
export function withTable(text: string, header: string, lines: readonly string[]): string {
  const without = withoutTable(text, header);
  const gap = without === "" ? "" : without.endsWith("\n") ? "\n" : "\n\n";
  return `${without}${gap}${MARK}\n[${header}]\n${lines.join("\n")}\n`;
}

/** Takes our table out again, with the empty line before it. A table of that name that somebody else wrote stays. */
export function withoutTable(text: string, header: string): string {
  const lines = text.split("\n");
  const from = lines.findIndex((line, at) => line === MARK && lines[at + 1] === `[${header}]`);
  if (from < 0) return text;
  const next = lines.findIndex((line, at) => at > from + 1 && (line.startsWith("[") || line.trim() === ""));
  const to = next < 0 ? lines.length : next;
  const head = lines.slice(0, from).join("\n");
  const tail = lines.slice(to).join("\n");
  if (tail.trim() !== "") return `${head === "" ? "" : `${head}\n`}${tail.replace(/^\n/, "")}`;
  return head; // the empty line before it was ours: it goes with the last line break of what was there
}

/**
 * Whether somebody else's server has our name, in whichever of TOML's ways, or whether no table can be added beside what is there:
 * a second one would keep Codex from starting.
 */
export function isNamed(text: string): boolean {
  const servers = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\][^\n]*\n((?:(?![ \t]*\[).*\n?)*)/m.exec(text)?.[1] ?? "";
  return (
    /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?tildone["']?[ \t]*[\].]/m.test(text) ||
    /^[ \t]*mcp_servers[ \t]*(?:=|\.[ \t]*["']?tildone["']?[ \t]*[.=])/m.test(text) ||
    /^[ \t]*["']?tildone["']?[ \t]*[.=]/m.test(servers)
  );
}

const MARK = "# Written by `tildone install`; `tildone uninstall` takes it out again.";
