export {
  type GeneratedQuestion,
  generateQuestions,
  QUESTIONED_LIST,
  type QuestionKind,
} from "./generate-questions.ts";
