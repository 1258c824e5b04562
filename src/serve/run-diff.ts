import { diffWork, type UndoHome, undoPlace } from "../compose/index.ts";
import { openRun, type RunCard } from "../engine/index.ts";
import type { DiffShown } from "./wire.ts";

const MOST = 400_000;

/** What a todo changed in the files. A text: why it cannot be shown. */
export async function runDiff(home: UndoHome, card: RunCard, todo: string): Promise<DiffShown | string> {
  const index = openRun(home.store.log, card.run).run.plan.todos.findIndex(({ id }) => id === todo);
  if (index < 0) return "That todo is not on the list any more.";
  const place = await undoPlace(home, card, undefined);
  const numbers = await diffWork(place, String(index), ["--numstat"]);
  if (numbers.status === "none") return numbers.why;
  const patch = await diffWork(place, String(index), ["-p"]);
  if (patch.status === "none") return patch.why;
  const diff = patch.parts.join("\n");
  return {
    files: numbers.parts.flatMap((part) => part.split("\n")).flatMap(fileIn),
    diff: diff.slice(0, MOST),
    isCut: diff.length > MOST,
  };
}

/** `12\t3\tsrc/vat.ts`; of a file that is no text git counts nothing. */
function fileIn(line: string): DiffShown["files"] {
  const [added, removed, ...path] = line.split("\t");
  return path.length === 0 ? [] : [{ path: path.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 }];
}
