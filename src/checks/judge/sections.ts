/** Sections of a settings file (TOML or INI) by which a runner judges; the others are the work. */
const JUDGING =
  /^\[+\s*(?:tool\.(?:pytest|coverage|tox|nox|ruff|mypy|pyright|flake8|pylint|hatch\.envs)\b|tool:pytest|pytest|testenv|tox|coverage|flake8|mypy|pylint|unittest|nosetests|test|profile)(?:[.:\s\]]|$)/;
/** In any section: that tests are not run. */
const SWITCHES_OFF = /^\s*(?:test|doctest|harness|autotests)\s*=\s*false/m;

/**
 * The new file with the judging sections of the old one. `changed` names those that were put back, taken up again or left out.
 */
export function mergeSections(
  before: string,
  after: string,
): { readonly text: string; readonly changed: readonly string[] } {
  const judgingOf = (text: string) => sectionsOf(text).filter(isJudging);
  const [old, now] = [judgingOf(before), judgingOf(after)];
  const plain = (sections: readonly Section[]) => sections.map(({ text }) => text.trim()).join("\n");
  if (plain(old) === plain(now)) return { text: after, changed: [] };
  const heads = new Set([...old, ...now].map(({ head }) => head));
  const changed = [...heads].filter(
    (head) => plain(old.filter((one) => one.head === head)) !== plain(now.filter((one) => one.head === head)),
  );
  // A section that only now switches tests off stands as it did before.
  const rest = sectionsOf(after).filter((section) => !isJudging(section));
  const back = sectionsOf(before).filter(({ head }) => heads.has(head));
  return { text: `${[...rest, ...back].map(({ text }) => text.trimEnd()).join("\n")}\n`, changed };
}

const isJudging = ({ head, text }: Section): boolean => JUDGING.test(head) || SWITCHES_OFF.test(text);

interface Section {
  readonly head: string;
  readonly text: string;
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { head: string; text: string }[] = [{ head: "", text: "" }];
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line) && !/^\s*\[[^\]]*,/.test(line)) sections.push({ head: line.trim(), text: "" });
    sections.at(-1)!.text += `${line}\n`;
  }
  return sections;
}
