/**
 * Whether a check that the model proposes may run: the user's rules are words of a command, `*` stands for any one word and
 * at the end for any that follow. A line that the shell would do more with than run one command fits no rule. `pattern`: it may run, but
 * no rule names it word for word.
 */
export function allowsCheck(rules: readonly string[]): (run: string | readonly string[]) => boolean | "pattern" {
  const patterns = rules.map((rule) => rule.trim().split(/\s+/));
  return (run) => {
    const words = typeof run === "string" ? plainWords(run) : run;
    const fitting = words === undefined ? [] : patterns.filter((pattern) => fits(pattern, words));
    if (fitting.length === 0) return false;
    return fitting.some((pattern) => !pattern.includes("*")) || "pattern";
  };
}

/** Quotes, substitutions, redirections and operators are more than words. */
function plainWords(line: string): readonly string[] | undefined {
  const trimmed = line.trim();
  return /^[\w./:@%+=,\- \t]+$/.test(trimmed) ? trimmed.split(/\s+/) : undefined;
}

function fits(pattern: readonly string[], words: readonly string[]): boolean {
  const open = pattern.at(-1) === "*";
  if (open ? words.length < pattern.length - 1 : words.length !== pattern.length) return false;
  return pattern.every((part, at) => (open && at === pattern.length - 1) || part === "*" || part === words[at]);
}
