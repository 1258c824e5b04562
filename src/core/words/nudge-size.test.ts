import { expect, test } from "vitest";
import { forerunnersWords } from "../../../test/builders/forerunner.ts";
import { aRun, todos } from "../../testing/index.ts";
import { nudgeText } from "./nudge.ts";

test.each([1, 3, 20, 100])("a nudge for a list of %i never has more words than the forerunner's", (items) => {
  for (let done = 0; done < items; done++) {
    const statuses = Array.from({ length: items }, (_, at) =>
      at < done ? ("completed" as const) : ("not_started" as const),
    );
    const run = aRun({ todos: todos(...statuses) });
    expect(nudgeText(run, "todo").length).toBeLessThanOrEqual(forerunnersWords(run).length);
  }
});
