import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { EVERYWHERE, foundIn, INSIDE, isSentence } from "./plain-words.ts";
import { stringsIn } from "./strings-in.ts";

/** What the check says about a folder with this one file in it. */
function checked(file: string, text: string): { status: number | null; said: string } {
  const root = mkdtempSync(join(tmpdir(), "check-words-"));
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    const { status, stderr } = spawnSync(process.execPath, [resolve("tools/check-words.ts")], {
      cwd: root,
      encoding: "utf8",
    });
    return { status, said: stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test.each([
  ["mend", "Mend the tests."],
  ["the human", "Wait for the human to answer."],
  ["item", "Complete the item."],
  ["boundary", "Sent at the next boundary."],
])("rejects a planted %s in a string and names its line", (word, sentence) => {
  const { status, said } = checked("src/core/planted.ts", `const a = 1;\nexport const b = \`\${a}: ${sentence}\`;\n`);
  expect(status).toBe(1);
  expect(said.toLowerCase()).toContain(`src/core/planted.ts:2: "${word}"`);
});

test("rejects a planted word between the tags of a page", () => {
  const { status, said } = checked("src/page/planted.tsx", "export const A = () => (\n  <p>Mend it now</p>\n);\n");
  expect([status, said.split("\n")[0]]).toEqual([1, 'src/page/planted.tsx:2: "Mend": write fix']);
});

test("accepts the same words in comments, identifiers, regular expressions and single words", () => {
  const { status, said } = checked(
    "src/core/planted.ts",
    [
      "// the human mends an item",
      "const items = /the human|mend it/;",
      'export const boundary = { kind: "human", items, half: items.source.length / 2 / 1 };',
    ].join("\n"),
  );
  expect(said).toBe("");
  expect(status).toBe(0);
});

test("finds strings inside templates, and none inside comments and regular expressions", () => {
  const source = [
    'const a = `one ${b("two`", `three ${c}`)} four`; // "five"',
    "/* 'six' */ d = e / f; g = /\"seven/;",
    "return /'/.test('eight');",
  ];
  expect(stringsIn(source.join("\n"))).toEqual([
    { text: "two`", line: 1 },
    { text: "three …", line: 1 },
    { text: "one … four", line: 1 },
    { text: "eight", line: 3 },
  ]);
});

test("takes a sentence for one and a name for none", () => {
  expect(["fix it", "… todos"].every(isSentence)).toBe(true);
  expect(["human", "todo.items", "--words", ""].some(isSentence)).toBe(false);
});

test.each([
  "nobody answered",
  "3 item(s)",
  "the work goes on",
  "it was sent on",
  "for ever",
  "what came of it",
  "queued words",
  "the driver of the run",
])("names %j", (text) => {
  expect(foundIn(text, [...EVERYWHERE, ...INSIDE])).not.toEqual([]);
});

test.each(["sent on 3 days", "recommend", "takes effect", "tildone deny --words", "goes on hold"])(
  "allows %j",
  (text) => {
    expect(foundIn(text, [...EVERYWHERE, ...INSIDE])).toEqual([]);
  },
);
