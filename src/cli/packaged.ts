import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A program of this package. Two folders up: `src/cli` and `dist/cli` lie alike. */
export const packaged = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));

/** The folder of this package, to be named to a host that loads packages. */
export const packageFolder = (): string => resolve(packaged(".."));

/** Our adapter, as it is shipped for a host that loads it. */
export const adapterOf = (host: string): string => packaged(`../dist/hosts/${host}/index.js`);
