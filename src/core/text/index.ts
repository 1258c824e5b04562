export { beginning, clipLine, clipText, ending, oneLine, quoteBlock, quoteLines, withoutControls } from "./text.ts";
