import { expect, test } from "vitest";
import screen from "./tui.ts";

type Api = Parameters<typeof screen.tui>[0];
type Route = Api["route"]["current"];

/** Presses escape on a screen that shows this; what was aborted, and whether others got the key. */
async function press(current: Route, status: string | undefined, abort: () => Promise<unknown> = async () => {}) {
  const aborted: string[] = [];
  const layers: Parameters<Api["keymap"]["registerLayer"]>[0][] = [];
  let isGone = false;
  let dispose = () => {};
  await screen.tui({
    route: { current },
    state: { session: { status: () => (status === undefined ? undefined : { type: status }) } },
    client: {
      session: {
        abort: ({ sessionID }) => {
          aborted.push(sessionID);
          return abort();
        },
      },
    },
    keymap: {
      registerLayer: (layer) => {
        layers.push(layer);
        return () => {
          isGone = true;
        };
      },
    },
    lifecycle: {
      onDispose: (last) => {
        dispose = last;
      },
    },
  });
  const [{ commands, bindings, mode }] = layers as [(typeof layers)[number]];
  const bound = bindings.find(({ key }) => key === "escape")!;
  const isTaken = commands.find(({ name }) => name === bound.cmd)!.run();
  dispose();
  return { aborted, isTaken, mode, isGone };
}

const SHOWN: Route = { name: "session", params: { sessionID: "one" } };

test.each([
  ["a session at rest is aborted", SHOWN, "idle", ["one"]],
  ["so is one that nothing was heard of yet", SHOWN, undefined, ["one"]],
  ["one that works is OpenCode's own to interrupt", SHOWN, "busy", []],
  ["and one that tries again", SHOWN, "retry", []],
  ["where no session is shown there is nothing to abort", { name: "home" }, undefined, []],
] as const)("%s", async (_what, route, status, aborted) => {
  expect(await press(route, status)).toEqual({ aborted, isTaken: false, mode: "base", isGone: true });
});

test("a server that is gone is no error of the screen", async () => {
  const pressed = await press(SHOWN, "idle", () => Promise.reject(new Error("connection refused")));
  expect(pressed).toEqual({ aborted: ["one"], isTaken: false, mode: "base", isGone: true });
});
