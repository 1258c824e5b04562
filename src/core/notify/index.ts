export { changeText } from "./change-text.ts";
export { type DueDelivery, dueDeliveries, retryAt } from "./due.ts";
export { type Message, messageOf, type ShownCommands } from "./message.ts";
export { newsIn, staleBecause } from "./news.ts";
