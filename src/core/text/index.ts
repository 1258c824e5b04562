export { beginning, clipLine, clipText, ending, oneLine, quoteBlock, quoteLines, withoutControls } from "./text.ts";
export { visible } from "./visible.ts";
