export { type LimitSaid, resetOf } from "./reset-of.ts";
