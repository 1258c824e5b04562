import { oneLine } from "../text/index.ts";
import { LIMITS } from "../todo/index.ts";

/** One checkbox of a plan file. `needs` are positions of its children: a parent is done after them. */
export interface PlanItem {
  readonly text: string;
  readonly status: BoxStatus;
  readonly needs: readonly number[];
}
export type BoxStatus = "open" | "in_progress" | "done" | "cancelled";

export type ReadPlan =
  | { readonly ok: true; readonly title?: string; readonly items: readonly PlanItem[] }
  | { readonly ok: false; readonly message: string };

/** Letters and digits other than x are references, not boxes. */
const BOX = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+\[([ xX\p{P}\p{S}])\]\s+(.*)$/u;
const FENCE = /^\s*(```|~~~)/;

/** What a box means. An uncommon mark is open work: nothing is lost. */
export function boxStatus(mark: string): BoxStatus {
  if (mark === "x" || mark === "X" || mark === "✓" || mark === "✔") return "done";
  if (mark === "~" || mark === "/") return "in_progress";
  return mark === "-" ? "cancelled" : "open";
}

/** The checkboxes of a Markdown file, in their order, nested by their indentation. */
export function readPlan(markdown: string): ReadPlan {
  const items: Box[] = [];
  const title = /^#\s+(\S.*)$/m.exec(markdown)?.[1]?.trim();
  const above: Box[] = []; // the items that the next one may lie in
  let fenced = false;
  for (const [at, line] of markdown.split(/\r?\n/).entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    const box = fenced ? null : BOX.exec(line);
    if (!box) continue;
    const text = oneLine(box[3]!);
    if (text.length > LIMITS.text)
      return refuse(`line ${at + 1} has ${text.length} characters; a todo has at most ${LIMITS.text}`);
    const indent = box[1]!.replaceAll("\t", "    ").length;
    const status = boxStatus(box[2]!);
    while (above.length > 0 && above.at(-1)!.indent >= indent) above.pop();
    const parent = above.at(-1);
    const item: Box = { text, status, indent, line: at + 1, needs: [] };
    if (status !== "cancelled") parent?.needs.push(item); // what is cancelled holds nothing up
    above.push(item);
    items.push(item);
  }
  if (items.length === 0) return refuse("it has no checkboxes (- [ ] text)");
  const kept = items.length > LIMITS.items ? items.filter(isUnfinished) : items;
  if (kept.length > LIMITS.items)
    return refuse(
      `it has ${kept.length} open checkboxes, and a list holds at most ${LIMITS.items}. Move the boxes from line ${kept[LIMITS.items]!.line} on into a second file, and run that one when this one is done`,
    );
  const plan = kept.map(({ text, status, needs }) => ({
    text,
    status,
    needs: needs.flatMap((need) => (kept.includes(need) ? [kept.indexOf(need)] : [])),
  }));
  return { ok: true, title, items: plan };
}

interface Box extends Omit<PlanItem, "needs"> {
  readonly indent: number;
  readonly line: number;
  readonly needs: Box[];
}

const isUnfinished = ({ status }: Box): boolean => status !== "done" && status !== "cancelled";

const refuse = (message: string): ReadPlan => ({ ok: false, message: `${message}.` });
