export {
  countNote,
  countProof,
  countText,
  markedTodos,
  type ProofCount,
  type ProposedCheck,
  proofOf,
  proposedChecks,
} from "./proof.ts";
export { STANDINGS, type Standing, standingOf } from "./standing.ts";
