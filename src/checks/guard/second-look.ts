import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { OwnedCheck } from "../../core/continuation/index.ts";
import type { Run } from "../../core/run/index.ts";
import type { Check } from "../../core/todo/index.ts";
import type { Git } from "../workspace/git.ts";
import type { Changes, Guards } from "./create-guards.ts";
import { withPart } from "./definition.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

/** What there is to say about a check that passed although something it relies on was changed undeclared. */
export interface Doubt {
  readonly suspect: boolean;
  readonly doubt: string;
}

export interface SecondLookPorts {
  readonly git: Git;
  readonly guards: Guards;
  /** Where copies of the project are made. */
  readonly scratch: string;
  /** Runs a check in another directory and says how it ended, or undefined if it passed. */
  readonly tryIn: (check: Check, root: string, signal: AbortSignal) => Promise<string | undefined>;
}

type Changed = Changes & { readonly status: "changed" };

/**
 * Checks that passed are run again on a copy of the project in which what they rely on is as it was. If they pass there
 * too, the change was harmless.
 */
export async function secondLook(
  ports: SecondLookPorts,
  run: Run,
  passed: readonly OwnedCheck[],
  signal: AbortSignal,
): Promise<ReadonlyMap<OwnedCheck, Doubt>> {
  const doubts = new Map<OwnedCheck, Doubt>();
  const { cwd } = run.origin;
  const declared = declaredIn(run);
  const groups = new Map<string, { readonly owned: OwnedCheck; readonly changed: Changed }[]>();
  for (const owned of passed) {
    const guard = run.ledger.guards[owned.owner] ?? run.ledger.guards.run;
    if (guard === undefined) continue;
    const changes = await ports.guards.changesSince(guard, { cwd, check: owned.check, declared });
    if (changes.status === "lost")
      doubts.set(owned, { suspect: true, doubt: "what its check relied on before is no longer known" });
    if (changes.status !== "changed") continue;
    groups.set(guard, [...(groups.get(guard) ?? []), { owned, changed: changes }]);
  }
  for (const group of groups.values())
    for (const [owned, doubt] of await judge(ports, cwd, group, signal)) doubts.set(owned, doubt);
  return doubts;
}

/** Declared before the start; for an item that is completed without one, as it was written. */
function declaredIn({ plan, ledger }: Run): readonly string[] {
  const completing = plan.todos.filter(({ id }) => ledger.verifying?.ids.includes(id));
  return [...ledger.declared, ...completing.flatMap(({ touches }) => touches)];
}

async function judge(
  { git, guards, scratch: place, tryIn }: SecondLookPorts,
  cwd: string,
  group: readonly { readonly owned: OwnedCheck; readonly changed: Changed }[],
  signal: AbortSignal,
): Promise<readonly (readonly [OwnedCheck, Doubt])[]> {
  const all = (ending: string) =>
    group.map(({ owned, changed }) => [owned, { suspect: true, doubt: `${namesOf(changed)} ${ending}` }] as const);
  const scratch = await makeScratch(git, cwd, place, signal);
  if (!scratch) return all("changed undeclared, and the project is too large to try the check on a copy");
  try {
    const lost = await putBack(guards, cwd, scratch, group);
    if (lost !== undefined) return all(`changed undeclared, and what ${lost} held is no longer known`);
    const ends = new Map<string, string | undefined>();
    const judged: (readonly [OwnedCheck, Doubt])[] = [];
    for (const { owned, changed } of group) {
      const id = JSON.stringify(owned.check);
      if (!ends.has(id)) ends.set(id, await tryIn(owned.check, scratch.path, signal));
      judged.push([owned, verdict(namesOf(changed), ends.get(id))]);
    }
    return judged;
  } finally {
    scratch.dispose();
  }
}

const verdict = (names: string, end: string | undefined): Doubt =>
  end === undefined
    ? { suspect: false, doubt: `${names} changed undeclared; the check passes with the old content too` }
    : {
        suspect: true,
        doubt: `${names} changed undeclared, and with the old content the check does not pass (${end})`,
      };

/** The first file that could not be put back. */
async function putBack(
  guards: Guards,
  cwd: string,
  scratch: Scratch,
  group: readonly { readonly changed: Changed }[],
): Promise<string | undefined> {
  for (const [path, file] of new Map(group.flatMap(({ changed }) => [...changed.files]))) {
    const content = await guards.contentOf(cwd, file);
    if (content === undefined) return path;
    await scratch.put(path, content, file.mode);
  }
  for (const part of group.flatMap(({ changed }) => changed.parts)) {
    const text = await readFile(join(scratch.path, part.path), "utf8").catch(() => undefined);
    await scratch.put(part.path, Buffer.from(withPart(text, part)), "100644");
  }
  return undefined;
}

const MOST_NAMES = 3;

function namesOf({ files, parts }: Changed): string {
  const names = [...files.keys(), ...new Set(parts.map(({ path, name }) => `${path} (${name})`))];
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return `${more > 0 ? `${shown} and ${more} more` : shown} ${names.length === 1 ? "was" : "were"}`;
}
