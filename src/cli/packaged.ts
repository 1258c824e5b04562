import { fileURLToPath } from "node:url";

/** A program of this package. Two folders up: `src/cli` and `dist/cli` lie alike. */
export const packaged = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));
