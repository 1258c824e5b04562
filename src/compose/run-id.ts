/** No letters that look like digits: people read ids aloud and type their beginnings. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Eight characters: enough for the runs of one machine, short enough to type. */
export function newRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
