import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aPerson, LONG, type Person, until } from "../person/person.ts";
import { asksOnce } from "../pi/models.ts";

const COMMAND =
  "touch made.txt && echo a line that is longer than a terminal of eighty columns is wide: it ends here\n\ttouch hidden.txt";

const touches = asksOnce(2, COMMAND);

/** A real run that waits for an approval in one terminal, and `top` in another. */
async function watched(columns: number, rows: number, env: Readonly<Record<string, string>> = {}) {
  const person = await aPerson({ script: touches, env });
  const desk = person.terminal();
  desk.types('clear; tildone run "make a file"; echo "(exit $?)"');
  await desk.shows(/say what to do instead:/);
  const [run = ""] = await person.runs();
  const other = person.terminal();
  other.resize(columns, rows);
  other.types("clear; tildone top");
  await other.shows(/waits for you/);
  return { person, desk, other, run };
}

const fits = (screen: string, columns: number, rows: number) => {
  const lines = screen.replace(/\n$/, "").split("\n");
  expect(lines.length).toBeLessThanOrEqual(rows);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
};
const happened = async (person: Person, type: string) =>
  (await person.log()).filter(({ event }) => event.type === type).length;

test.each([
  [80, 24],
  [60, 20],
])(
  "at %ix%i it shows the runs, the list and the last decisions, and its answer runs the call",
  LONG,
  async (columns, rows) => {
    const { person, desk, other, run } = await watched(columns, rows);
    await using _ = person;
    const screen = await other.shows(/item 1/);
    fits(screen, columns, rows);
    expect(screen).toContain(`▸${run} WAITING`);
    expect(screen).toMatch(/^tildone +1 run +· +1 waits for you/m);
    expect(screen).toMatch(/│ .*\[0\] item 0/);
    expect(screen).toContain("a answer  h hold  u unhold  s say  / search  q quit");
    other.keys("a");
    const asked = await other.shows(/This is all of it/);
    fits(asked, columns, rows);
    const shown = asked.replaceAll(/\n {4}/g, "");
    expect(shown).toContain("touch made.txt && echo a line that is longer than a terminal");
    expect(shown).toContain("it ends here⏎⇥touch hidden.txt");
    expect(existsSync(join(person.project, "made.txt"))).toBe(false);
    other.keys("y");
    await until(() => existsSync(join(person.project, "made.txt")), "the call ran");
    await other.shows(/Last decisions/);
    await desk.shows(/Answered elsewhere\./);
    other.keys("q");
    await other.shows(/^\$ ?$/m);
  },
);

test("a hold, an unhold and a message reach the real run, a search finds it, and a resize is drawn", LONG, async () => {
  const { person, other, run } = await watched(80, 24);
  await using _ = person;
  other.keys("h");
  await until(async () => (await happened(person, "human.held")) === 1, "the run is held");
  await other.shows(/On hold · WAITING FOR YOU/);
  other.keys("u");
  await until(
    async () => (await happened(person, "human.unheld")) + (await happened(person, "human.resumed")) >= 1,
    "it is not held",
  );
  other.types("suse tabs");
  await until(async () => (await happened(person, "words.queued")) === 1, "the message is queued");
  other.types("/no such run");
  await other.shows(/No run fits the search/);
  other.keys("Escape");
  await other.shows(new RegExp(`▸${run}`));
  other.resize(60, 20);
  const small = await other.shows(/^.{0,60}q quit$/m);
  fits(small, 60, 20);
  other.keys("C-c");
  await other.shows(/^\$ ?$/m);
});

test(
  "nothing flickers: the screen is never cleared, and a key or a second writes only the rows that changed",
  LONG,
  async () => {
    const { person, other } = await watched(80, 24);
    await using _ = person;
    await other.shows(/item 1/);
    const written = other.recorded();
    const before = written().length;
    const letters = [..."use tabs"];
    other.keys("s");
    for (const letter of letters) other.keys(letter === " " ? "Space" : letter);
    await other.shows(/use tabs/);
    other.keys("Escape");
    await other.hides(/use tabs/);
    const bytes = written().slice(before);
    const clears = bytes.match(/\u001b\[[23]?J/g) ?? [];
    const updates = bytes.match(/\u001b\[\?2026h/g)?.length ?? 0;
    console.log(`top: ${clears.length} clears, ${updates} updates, ${Math.round(bytes.length / updates)} bytes each`);
    expect(clears).toEqual([]);
    expect(updates).toBeGreaterThan(0); // keys that come at once may share an update
    expect(bytes.length / updates).toBeLessThan((80 * 24) / 4); // a whole screen would be more than 1,920
  },
);

test("with NO_COLOR nothing is coloured", LONG, async () => {
  const { person, other } = await watched(80, 24, { NO_COLOR: "1" });
  await using _ = person;
  expect(other.colours()).not.toMatch(/\u001b\[(?:\d+;)*(?:3[1-7]|9\d|[29])m/);
});

test("without a terminal it prints the status", LONG, async () => {
  await using person = await aPerson({ script: touches });
  const desk = person.terminal();
  const { exit, screen } = await desk.runs("tildone top | cat");
  expect(exit).toBe(0);
  expect(screen).toContain("There is no run on this machine yet.");
});
