// Whether every sentence for users avoids the words of plain-words.ts: strings of the sources, documents, texts that are generated.
import { globSync, readFileSync } from "node:fs";
import { EVERYWHERE, foundIn, INSIDE, isSentence } from "./plain-words.ts";
import { stringsIn } from "./strings-in.ts";

interface Place {
  readonly files: string;
  readonly but?: RegExp;
  readonly inside: "allowed" | "avoided";
}

/** Pages for those who build tildone or build on it. */
const FOR_DEVELOPERS =
  "docs/{architecture,reference/{api,capabilities},how-to/{write-a-host,testing,simulate,scheduler}}.md";
/** Records of their time, and what the benchmark printed. */
const RECORDS = /^docs\/(decisions\/|benchmark\.md)/;

const PLACES: readonly Place[] = [
  { files: "src/**/*.{ts,tsx}", but: /^src\/agent\/demo\/(script|workspace)\.ts$/, inside: "avoided" },
  { files: "bin/*.js", inside: "avoided" },
  { files: "workflows/**/*.{md,yaml}", inside: "avoided" },
  { files: "docs/**/*.md", but: RECORDS, inside: "avoided" },
  { files: "README.md", inside: "avoided" },
  { files: "{GLOSSARY,AGENTS}.md", inside: "allowed" },
  { files: FOR_DEVELOPERS, inside: "allowed" },
];

/** Lists of words in many languages, texts of scripted models (also of the demo), code of shells, styles and SQL: nothing of ours to reword. */
const NOT_OURS =
  /^src\/(core\/question\/|testing\/|cli\/completion-scripts\.ts|core\/report\/design\.ts|fleet\/ledger\/(migrations|init-fleet|pg-[a-z]+)\.ts)|\.test\.ts$/;

/** `file: text` of a sentence that must stay, with the reason beside it. */
const EXEMPT: readonly string[] = [];

/** Names of settings, events and fields in a document. */
const CODE = /`[^`]*`|\]\([^)]*\)/g;

const developers = globSync(FOR_DEVELOPERS);
const mistakes = PLACES.flatMap(({ files, but, inside }) =>
  globSync(files)
    .toSorted()
    .flatMap((file) => {
      if (NOT_OURS.test(file) || but?.test(file) || (inside === "avoided" && developers.includes(file))) return [];
      const words = inside === "avoided" ? [...EVERYWHERE, ...INSIDE] : EVERYWHERE;
      return sentencesOf(file).flatMap(({ text, line }) =>
        EXEMPT.includes(`${file}: ${text}`)
          ? []
          : foundIn(text, words).map((said) => `${file}:${line}: ${said}\n    ${text}`),
      );
    }),
);
for (const line of mistakes) console.error(line);
process.exit(mistakes.length > 0 ? 1 : 0);

function sentencesOf(file: string): readonly { readonly text: string; readonly line: number }[] {
  const text = readFileSync(file, "utf8");
  if (/\.[jt]sx?$/.test(file))
    return [...stringsIn(text), ...shownIn(text, file)].filter(({ text }) => isSentence(text));
  return text.split("\n").map((row, index) => ({ text: row.replace(CODE, "`…`"), line: index + 1 }));
}

/** What stands between the tags of a page. */
function shownIn(text: string, file: string): readonly { readonly text: string; readonly line: number }[] {
  if (!file.endsWith(".tsx")) return [];
  return [...text.matchAll(/>([^<>{}=;]+)</g)].map(({ 1: shown, index }) => ({
    text: shown!.trim(),
    line: text.slice(0, index).split("\n").length,
  }));
}
