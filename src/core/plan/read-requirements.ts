import type { Requirement } from "../run/index.ts";
import { type BoxStatus, boxStatus } from "./read-plan.ts";

/**
 * What a plan or a goal asks for, one by one: the boxes that are not ticked; in a text without boxes the numbered lines,
 * if there are at least two. Each keeps the id it names itself (`R3:`, `[AUTH-1]`, `2.1`), others are counted.
 */
export function readRequirements(text: string): readonly Requirement[] {
  const items = itemsOf(text);
  const boxes = items.filter(({ mark }) => mark.type === "box");
  const numbered = items.filter(({ mark }) => mark.type === "number");
  const asked = boxes.length > 0 ? boxes.filter(({ mark }) => !isTicked(mark)) : numbered.length > 1 ? numbered : [];
  return named(asked.slice(0, MOST_REQUIREMENTS));
}

const MOST_REQUIREMENTS = 200;
const LONGEST = 1000;

type Mark = { readonly type: "box"; readonly ticked: boolean } | { readonly type: "number"; readonly number: string };
interface Item {
  readonly mark: Mark;
  readonly text: string;
}

const isTicked = (mark: Mark): boolean => mark.type === "box" && mark.ticked;

const BOX = /^\s*(?:[-*+]|\d{1,4}[.)])\s+\[([ xX\p{P}\p{S}])\]\s+(.*)$/u;
const NUMBER = /^\s{0,3}(\d{1,4}(?:\.\d{1,4}){0,3})[.)]?\s+(\S.*)$/;
const BULLET = /^\s*[-*+]\s/;
const FENCE = /^\s*(```|~~~)/;

function itemsOf(text: string): readonly Item[] {
  const items: { mark: Mark; text: string }[] = [];
  let fenced = false;
  let open = false; // whether a following indented line still belongs to the last item
  for (const line of text.split(/\r?\n/)) {
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced) {
      const item = itemOf(line);
      if (item) items.push(item);
      else if (open && isContinuation(line)) items.at(-1)!.text += ` ${line.trim()}`;
      open = item !== undefined || (open && isContinuation(line));
    }
  }
  return items;
}

/** What is done or cancelled is not asked for any more. */
const isOver = (status: BoxStatus): boolean => status === "done" || status === "cancelled";

function itemOf(line: string): { mark: Mark; text: string } | undefined {
  const box = BOX.exec(line);
  if (box) return { mark: { type: "box", ticked: isOver(boxStatus(box[1]!)) }, text: box[2]! };
  const number = NUMBER.exec(line);
  return number ? { mark: { type: "number", number: number[1]! }, text: number[2]! } : undefined;
}

const isContinuation = (line: string): boolean => /^\s{2,}\S/.test(line) && !BULLET.test(line);

const OWN_ID =
  /^\s*(?:\*\*)?(?:\[([A-Za-z][\w.-]{0,30})\]|([A-Z][A-Z0-9]*-?\d[\w.-]{0,20}))(?:\*\*)?\s*[:.)–-]?(?:\*\*)?\s+(?=\S)/;

function named(items: readonly Item[]): readonly Requirement[] {
  const taken = new Set<string>();
  return items.flatMap(({ mark, text }, index) => {
    const own = OWN_ID.exec(text);
    const plain = text
      .slice(own?.[0].length ?? 0)
      .replace(/\s+/g, " ")
      .trim();
    if (plain === "") return [];
    const wanted = own?.[1] ?? own?.[2] ?? (mark.type === "number" ? `R${mark.number}` : `R${index + 1}`);
    const id = unused(wanted, taken);
    taken.add(id);
    return [{ id, text: plain.slice(0, LONGEST) }];
  });
}

function unused(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
  return id;
}
