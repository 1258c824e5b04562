import { oneLine } from "../text/index.ts";
import { LIMITS } from "../todo/index.ts";

/** One checkbox of a plan file. `needs` are positions of its children: a parent is done after them. */
export interface PlanItem {
  readonly text: string;
  readonly ticked: boolean;
  readonly needs: readonly number[];
}

export type ReadPlan =
  | { readonly ok: true; readonly title?: string; readonly items: readonly PlanItem[] }
  | { readonly ok: false; readonly message: string };

const BOX = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+\[([ xX])\]\s+(.*)$/;
const FENCE = /^\s*(```|~~~)/;

/** The checkboxes of a Markdown file, in their order, nested by their indentation. */
export function readPlan(markdown: string): ReadPlan {
  const items: { text: string; ticked: boolean; needs: number[]; indent: number }[] = [];
  const title = /^#\s+(\S.*)$/m.exec(markdown)?.[1]?.trim();
  let fenced = false;
  for (const [at, line] of markdown.split(/\r?\n/).entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    const box = fenced ? null : BOX.exec(line);
    if (!box) continue;
    const text = oneLine(box[3]!);
    if (text.length > LIMITS.text)
      return refuse(`line ${at + 1} has ${text.length} characters; a todo has at most ${LIMITS.text}`);
    const indent = box[1]!.replaceAll("\t", "    ").length;
    items.findLast((item) => item.indent < indent)?.needs.push(items.length);
    items.push({ text, ticked: box[2] !== " ", needs: [], indent });
  }
  if (items.length === 0) return refuse("it has no checkboxes (- [ ] text)");
  if (items.length > LIMITS.items)
    return refuse(`it has ${items.length} checkboxes; a list holds at most ${LIMITS.items}. Split the plan`);
  const plan = items.map(({ text, ticked, needs }) => ({ text, ticked, needs }));
  return { ok: true, ...(title !== undefined && { title }), items: plan };
}

const refuse = (message: string): ReadPlan => ({ ok: false, message: `${message}.` });
