export type Algorithm = "sha1" | "sha256";

const BLOCK = 64;

/** SHA-1 and SHA-256 (FIPS 180-4) without loading anything: for a few small inputs. */
export function pureHash(algorithm: Algorithm, input: Uint8Array): Buffer {
  const padded = padding(input);
  const state = Uint32Array.from(algorithm === "sha1" ? SHA1_START : SHA256_START);
  const words = new Uint32Array(80);
  const round = algorithm === "sha1" ? sha1Block : sha256Block;
  for (let at = 0; at < padded.byteLength; at += BLOCK) {
    for (let word = 0; word < 16; word++) words[word] = padded.getUint32(at + word * 4);
    round(state, words);
  }
  const digest = Buffer.alloc(state.length * 4);
  for (const [index, word] of state.entries()) digest.writeUInt32BE(word, index * 4);
  return digest;
}

/** The input, a one bit, zeros, and the length in bits, in whole blocks. */
function padding(input: Uint8Array): DataView {
  const size = Math.ceil((input.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(size);
  bytes.set(input);
  bytes[input.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(input.length) * 8n);
  return view;
}

const SHA1_START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

function sha1Block(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 80; at++)
    words[at] = left(words[at - 3]! ^ words[at - 8]! ^ words[at - 14]! ^ words[at - 16]!, 1);
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let at = 0; at < 80; at++) {
    const next = (left(a, 5) + sha1Mix(at, b, c, d) + e + words[at]!) | 0;
    e = d;
    d = c;
    c = left(b, 30);
    b = a;
    a = next;
  }
  add(state, a, b, c, d, e);
}

function sha1Mix(at: number, b: number, c: number, d: number): number {
  if (at < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (at < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (at < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

/** The first 32 bits of the fractions of the square roots of the first primes; written down, because to find them costs as much as to hash. */
// biome-ignore format: a table
const SHA256_START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
/** The same of their cube roots. */
// biome-ignore format: a table
const SHA256_ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/** Words are turned in place, without a call: a process that hashes little never gets to compile this. */
function sha256Block(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15]!;
    const y = words[at - 2]!;
    const mixed =
      (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
      (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10));
    words[at] = words[at - 16]! + words[at - 7]! + mixed;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const one = (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g));
    const two =
      (((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c));
    const next = (h + one + SHA256_ROUNDS[at]! + words[at]!) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + next) | 0;
    d = c;
    c = b;
    b = a;
    a = (next + two) | 0;
  }
  add(state, a, b, c, d, e, f, g, h);
}

const left = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

function add(state: Uint32Array, ...words: readonly number[]): void {
  for (const [index, word] of words.entries()) state[index]! += word;
}
