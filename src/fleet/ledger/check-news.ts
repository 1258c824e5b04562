import type { Barrier, News } from "../ports.ts";

/** Rows follow each other and follow `from`; a mark lies within what is known. A mistake here would be found by the next driver only. */
export function checkNews(news: News & Partial<Barrier>, last: number): void {
  for (const [index, { seq }] of news.rows.entries())
    if (seq !== news.from + 1 + index) throw new Error(`row ${seq} does not follow ${news.from + index}`);
  if (news.mark && news.mark.seq > last) throw new Error(`the mark ${news.mark.seq} lies after the last row ${last}`);
}
