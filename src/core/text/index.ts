export { bytes } from "./bytes.ts";
export { counted } from "./counted.ts";
export { exactLine, exactRows, fold } from "./exact.ts";
export { nearest } from "./nearest.ts";
export { clockTime, parseSpan, span } from "./span.ts";
export { terminalAlert } from "./terminal-alert.ts";
export { beginning, clipLine, clipText, ending, oneLine, quoteBlock, quoteLines, withoutControls } from "./text.ts";
export { visible } from "./visible.ts";
export { cutAt, width } from "./width.ts";
