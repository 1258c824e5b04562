import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelRequest, Step } from "../../../src/testing/index.ts";
import { askedFor, writeList } from "../pi/models.ts";
import { aPerson, LONG, type Person, until } from "./person.ts";

const COMMAND =
  "touch made.txt && echo a line that is longer than a terminal of eighty columns is wide: it ends here\n\ttouch hidden.txt";
/** As a terminal shows it. */
const SHOWN = COMMAND.replace("\n", "⏎").replace("\t", "⇥");

/** Writes a list of one, and runs one command for it that must be approved. */
function touches(request: ModelRequest): Step {
  const last = request.messages.at(-1);
  const ran = request.messages.some(({ role, text }) => role === "tool" && !isOfList(text));
  if (last?.role === "tool" && (!ran || isOfList(last.text))) return { text: "I stop here." };
  if (ran) return { calls: [["edit_todos", { action: "complete", indices: [0] }]] };
  const item = askedFor(request);
  return item === undefined ? { calls: [writeList(1)] } : { calls: [["bash", { command: COMMAND }]] };
}

const isOfList = (result: string): boolean => /^(?:Wrote|Completed) /.test(result);

const made = (person: Person) => existsSync(join(person.project, "made.txt"));

async function asked(config?: string) {
  const person = await aPerson({ script: touches, ...(config !== undefined && { config }) });
  const desk = person.terminal();
  desk.types('clear; tildone run "make a file"; echo "(exit $?)"');
  await desk.shows(/say what to do instead:/);
  return { person, desk };
}

test("run asks in place, with the whole command; y lets it run", LONG, async () => {
  const { person, desk } = await asked();
  await using _ = person;
  const screen = desk.screen();
  expect(screen).toMatch(/^WAITING FOR YOU: bash needs your approval$/m);
  expect(screen.replaceAll(/\n {4}/g, "")).toContain(SHOWN);
  for (const line of screen.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  desk.keys("Enter"); // says nothing, and is no yes
  expect(made(person)).toBe(false);
  desk.types("y");
  await until(() => made(person), "the command ran");
  await desk.shows(/\(exit \d+\)/);
});

test("another terminal leads with what waits, and its answer can be pasted", LONG, async () => {
  const { person, desk } = await asked('notify: echo "$TILDONE_NEWS $TILDONE_REASON $TILDONE_TEXT" >> "$HOME/news"\n');
  await using _ = person;
  await until(() => existsSync(join(person.root, "news")), "the notifier ran");
  expect(readFileSync(join(person.root, "news"), "utf8")).toBe(
    `needs_you approval bash needs your approval: ${SHOWN}\n`,
  );
  const other = person.terminal();
  const [run = ""] = await person.runs();
  const why = (await other.runs("tildone why")).screen;
  expect(why).toMatch(/^WAITING FOR YOU: bash needs your approval\n/);
  expect(why.replaceAll(/\n {4}/g, "")).toContain(SHOWN);
  expect(why).not.toContain("It continues at");
  expect((await other.runs(`tildone status ${run}`)).screen).toMatch(/^WAITING FOR YOU: bash/);
  const all = (await other.runs("tildone status")).screen;
  expect(all.split("\n")[0]).toContain("WAITING FOR YOU");
  const yes = /yes: +(tildone approve .*)$/m.exec(all)?.[1] ?? "";
  expect((await other.runs(yes)).exit).toBe(0);
  await desk.shows(/Answered elsewhere\./);
  await until(() => made(person), "the command ran");
  await desk.shows(/\(exit \d+\)/);
});

test("words instead of y reach the agent, and n stops the run", LONG, async () => {
  const { person, desk } = await asked();
  await using _ = person;
  desk.types("use the file that is there");
  await until(
    () =>
      person.model.requests.some(({ messages }) =>
        messages.some(({ text }) => text.includes("use the file that is there")),
      ),
    "the agent is told",
  );
  expect(made(person)).toBe(false);

  const second = await asked();
  await using _second = second.person;
  second.desk.types("n");
  await second.desk.shows(/\(exit 5\)/);
  expect(made(second.person)).toBe(false);
});

test("e edits the call in place: a mistake is named, and what you wrote is what runs", LONG, async () => {
  const { person, desk } = await asked();
  await using _ = person;
  desk.types("e");
  await desk.shows(/Arguments \(JSON\), then Enter: \{"command":"touch made\.txt/);
  desk.keys("C-u");
  desk.types("touch other.txt");
  await desk.shows(/This is not JSON: /);
  await desk.shows(/Arguments \(JSON\), then Enter: touch other\.txt$/m);
  expect(made(person)).toBe(false);
  desk.keys("C-u");
  desk.types('{"command":"touch edited.txt"}');
  await until(() => existsSync(join(person.project, "edited.txt")), "the edited command ran");
  expect(made(person)).toBe(false);
});
