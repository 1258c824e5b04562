import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { styleOf } from "../../src/cli/style.ts";
import { terminalSafe } from "../../src/cli/terminal-safe.ts";
import { clip, printable } from "../../src/cli/wrap.ts";
import { visible } from "../../src/core/text/index.ts";
import { themedList } from "../../src/core/todo/index.ts";
import { themedNotice } from "../../src/hosts/pi/notices.ts";
import { withSafeUi } from "../../src/hosts/pi/safe-ui.ts";
import { todos } from "../../src/testing/index.ts";
import fc from "../builders/properties.ts";
import { aPlace } from "../e2e/agent/tildone.ts";

const ESCAPE = "\u001b";
const HIDDEN = [
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200f",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u009b",
  "\u0007",
  "\b",
  "\r",
  ESCAPE,
  "\u{e0041}",
  "\ufe0f",
  "\u200d",
  "\u2028",
];
const steers = (text: string) =>
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u.test(
    text,
  );

describe("text of others on a screen", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...HIDDEN, "[2J", "[8m", "]0;x", "a", " ", "\n", "é", "漢"), fc.string()), {
      maxLength: 20,
    })
    .map((parts) => parts.join(""));

  test("nothing in it steers the terminal or hides", () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const shown of [visible(given), printable(given), clip(given, 40), terminalSafe(`x ${given}`)])
          expect(
            steers(shown.replaceAll(/\u001b\[(?:0|1|2|9|31|32|33|90)m/g, "").replaceAll(/[\u200d\ufe0f]/g, "")),
          ).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  test("nor in what pi is given to show", () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown: string[] = [];
        const show = (...texts: readonly unknown[]) =>
          void shown.push(...texts.filter((each) => typeof each === "string"));
        const bare = { notify: show, setStatus: show, select: show, confirm: show, input: show };
        const { ui } = withSafeUi({ ui: bare } as never) as { ui: Record<keyof typeof bare, typeof show> };
        ui.notify(given);
        ui.setStatus("key", given);
        ui.select(given, []);
        ui.confirm(given, given);
        ui.input(given);
        const theme = { fg: (_role: string, words: string) => words } as never;
        shown.push(themedNotice({ text: given, tone: "warning" }, theme));
        shown.push(
          ...themedList([{ ...todos("blocked")[0]!, text: given, reason: given, proof: "open" }]).flatMap((line) =>
            line.map((part) => part.text),
          ),
        );
        expect(shown.filter((each) => steers(each.replaceAll(/[\u200d\ufe0f]/g, "")))).toEqual([]);
        expect(shown.length).toBeGreaterThan(8);
      }),
      { numRuns: 1_000 },
    );
  });

  test("JSON stays the same value", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(JSON.parse(terminalSafe(JSON.stringify({ given })))).toEqual({ given });
      }),
      { numRuns: 1_000 },
    );
  });

  test("pictures, languages and our own colours stay", () => {
    for (const fine of ["👩‍💻 ok", "❤️", "漢字 عربى עברית", `${ESCAPE}[31mred${ESCAPE}[0m`, `${ESCAPE}[3A${ESCAPE}[J`])
      expect(terminalSafe(fine)).toBe(fine);
    const style = styleOf({ hasColour: true });
    for (const role of ["dim", "muted", "warning", "success", "error", "accent", "alarm"] as const)
      expect(terminalSafe(style.role(role, style.struck(style.strong("x"))))).toBe(
        style.role(role, style.struck(style.strong("x"))),
      );
    expect(terminalSafe(`${ESCAPE}[8mhidden${ESCAPE}[2J`)).toBe("\\u001b[8mhidden\\u001b[2J");
  });

  test("a hostile project says nothing raw through trust, config, status or an error", async () => {
    await using place = aPlace();
    const evil = `a${ESCAPE}[2J${ESCAPE}]0;owned\u0007\u202e\u200bb`;
    mkdirSync(join(place.project, ".tildone/commands"), { recursive: true });
    writeFileSync(join(place.project, ".tildone/commands/x.md"), evil);
    writeFileSync(join(place.project, ".tildone/config.yaml"), `"${evil.replaceAll("\u0007", "")}": 1\n`);
    const answers = [
      await place.tildone("trust", "--show"),
      await place.tildone("config"),
      await place.tildone("status"),
      await place.tildone(evil),
      await place.tildone("why", evil),
      await place.tildone("run", "x", "--file", evil),
    ];
    for (const { out, err } of answers) expect(steers(out + err)).toBe(false);
  });
});
