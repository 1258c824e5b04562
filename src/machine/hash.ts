import { type Algorithm, pureHash } from "./pure-hash.ts";

/** What a short-lived process hashes itself before it is worth loading Node's crypto, which takes longer than a whole look. */
const light = { bytesLeft: 32 * 1024 };
/** Filling up and finishing one block costs as much as these. */
const BYTES_PER_CALL = 64;

/** The hash of these bytes, one after the other. The same on every machine. */
export function hashOf(algorithm: Algorithm, ...parts: readonly Uint8Array[]): Buffer {
  light.bytesLeft -= parts.reduce((size, part) => size + part.length, BYTES_PER_CALL);
  if (light.bytesLeft >= 0) return pureHash(algorithm, Buffer.concat(parts));
  // Not imported: that would load it in every process.
  const hash = process.getBuiltinModule("node:crypto").createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
