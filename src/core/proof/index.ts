export { type ProofCase, type Proofs, proofsIn } from "./proofs-in.ts";
