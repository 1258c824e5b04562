export { type Asked, readQuestion } from "./read-question.ts";
