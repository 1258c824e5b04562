export { exactLine, exactRows, fold } from "./exact.ts";
export { beginning, clipLine, clipText, ending, oneLine, quoteBlock, quoteLines, withoutControls } from "./text.ts";
export { visible } from "./visible.ts";
export { cutAt, width } from "./width.ts";
