export type Algorithm = "sha1" | "sha256";

const BLOCK = 64;

/** SHA-1 and SHA-256 (FIPS 180-4) without loading anything: for a few small inputs. */
export function pureHash(algorithm: Algorithm, input: Uint8Array): Buffer {
  const padded = padding(input);
  const state = Uint32Array.from(algorithm === "sha1" ? SHA1_START : sha256().start);
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

function sha256Block(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at++) {
    const x = words[at - 15]!;
    const y = words[at - 2]!;
    const mixed = (right(x, 7) ^ right(x, 18) ^ (x >>> 3)) + (right(y, 17) ^ right(y, 19) ^ (y >>> 10));
    words[at] = words[at - 16]! + words[at - 7]! + mixed;
  }
  const { rounds } = sha256();
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const one = (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g));
    const two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    const next = (h + one + rounds[at]! + words[at]!) | 0;
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

/** Found when they are first needed: most processes hash nothing. */
function sha256(): { readonly start: readonly number[]; readonly rounds: readonly number[] } {
  constants.sha256 ??= { start: fractions(8, Math.sqrt), rounds: fractions(64, Math.cbrt) };
  return constants.sha256;
}
const constants: { sha256?: ReturnType<typeof sha256> } = {};

const left = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
const right = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function add(state: Uint32Array, ...words: readonly number[]): void {
  for (const [index, word] of words.entries()) state[index]! += word;
}

/** The first 32 bits of the fractions of the roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (isPrime(candidate)) found.push(Math.floor((root(candidate) % 1) * 2 ** 32));
  return found;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false;
  return true;
}
