export {
  type GeneratedQuestion,
  generateQuestions,
  generateRequests,
  QUESTIONED_LIST,
  type QuestionKind,
} from "./generate-questions.ts";
