import { expect, test } from "vitest";
import { aRun, todos } from "../../testing/index.ts";
import { awaitedCommands } from "./index.ts";

const SERVER = { id: "b1", line: "python3 -m http.server 8000", description: "Serve the page" };
const SHORT = { id: "b3", line: "ls -m -l" };
const BUILD = { id: "b2", line: "npm run build -- --watch=false", description: "Build the app" };

test.each([
  ["a reason that names the command", "waits for npm run build", ["b2"]],
  ["in another language", "wartet auf `npm run build`", ["b2"]],
  ["by its description", "until the app build is over", ["b2"]],
  ["by its id", "b2 still runs", ["b2"]],
  ["without a name", "waits for the background commands", ["b1", "b2", "b3"]],
  ["one word in common is no name", "needs the password of the production server from you", []],
  ["two words in common are", "waits for the http server", ["b1"]],
  ["short words say nothing", "do ls -m on it", []],
  ["words of three letters do", "the npm run", ["b2"]],
  ["nothing in common", "needs your decision about the schema", []],
  ["no reason at all", "", []],
])("what a blocked todo waits for: %s", (_how, reason, expected) => {
  const run = aRun({ todos: todos({ status: "blocked", reason }, "not_started") });
  expect(awaitedCommands(run, [SERVER, BUILD, SHORT]).map(({ id }) => id)).toEqual(expected);
});

test("a todo that is not blocked waits for no command", () =>
  expect(awaitedCommands(aRun({ todos: todos({ status: "in_progress", reason: "npm run build" }) }), [BUILD])).toEqual(
    [],
  ));

test("a command of one word is named by it", () =>
  expect(
    awaitedCommands(aRun({ todos: todos({ status: "blocked", reason: "waits for make" }) }), [{ line: "make" }]),
  ).toHaveLength(1));
