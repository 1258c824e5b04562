import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import fc from "../../test/builders/properties.ts";
import { hashOf } from "./hash.ts";
import { pureHash } from "./pure-hash.ts";

const ALGORITHMS = ["sha1", "sha256"] as const;
const nodes = (algorithm: string, ...parts: readonly Uint8Array[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest("hex");

test.each(ALGORITHMS)("%s is what Node says, at every length around a block and for any bytes", (algorithm) => {
  for (let length = 0; length < 200; length++) {
    const bytes = Buffer.alloc(length, length);
    expect(pureHash(algorithm, bytes).toString("hex")).toBe(nodes(algorithm, bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      expect(pureHash(algorithm, bytes).toString("hex")).toBe(nodes(algorithm, bytes));
    }),
  );
});

test.each(ALGORITHMS)("%s of many bytes, in parts: the same before and after Node's crypto takes over", (algorithm) => {
  const parts = [Buffer.from("blob 5000\0"), Buffer.alloc(5000, 7)];
  for (let time = 0; time < 20; time++)
    expect(hashOf(algorithm, ...parts).toString("hex")).toBe(nodes(algorithm, ...parts));
});
