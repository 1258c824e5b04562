export { answerButton, type ButtonRequest, type ButtonResponse } from "./answer-button.ts";
export { sendWaiting } from "./send-waiting.ts";
export { systemWorld } from "./system-world.ts";
export { type Tested, testChannels } from "./test-channels.ts";
export { BUTTON_PATH } from "./tokens.ts";
