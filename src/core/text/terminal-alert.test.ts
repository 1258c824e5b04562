import { expect, test } from "vitest";
import { terminalAlert } from "./terminal-alert.ts";

const ESC = "\u001b";

test.each([
  ["iTerm2", { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, `\u0007${ESC}]9;tildone: done${ESC}\\`],
  ["kitty, at the other end of ssh", { TERM: "xterm-kitty" }, `\u0007${ESC}]9;tildone: done${ESC}\\`],
  ["kitty", { TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, `\u0007${ESC}]9;tildone: done${ESC}\\`],
  ["foot", { TERM: "foot-extra" }, `\u0007${ESC}]777;notify;tildone;done${ESC}\\`],
  ["GNOME Terminal", { TERM: "xterm-256color", VTE_VERSION: "7802" }, `\u0007${ESC}]777;notify;tildone;done${ESC}\\`],
  ["tmux in kitty", { TERM: "tmux-256color", TMUX: "/tmp/x", KITTY_WINDOW_ID: "1" }, "\u0007"],
  ["one that is not known", { TERM: "xterm-256color" }, "\u0007"],
  ["none", {}, "\u0007"],
])("%s", (_terminal, env, sent) => expect(terminalAlert("done", env)).toBe(sent));

test("words can neither end the sequence nor begin another, and are not long", () => {
  const sent = terminalAlert(`a${ESC}\\${ESC}]0;title\u0007\n\u009cb;${"c".repeat(999)}`, { TERM: "foot" });
  const [, body] = /^\u0007\u001b\]777;notify;tildone;(.*)\u001b\\$/su.exec(sent) ?? [];
  expect(body).not.toMatch(/[\u0000-\u001f\u007f-\u009f;]/u);
  expect(body?.length).toBeLessThanOrEqual(200);
});
