/** A QR code for a terminal: two rows a line, its light squares drawn, as dark terminals want it. */
export function qrLines(qr: readonly (readonly boolean[])[]): readonly string[] {
  const lines: string[] = [];
  for (let row = 0; row < qr.length; row += 2)
    lines.push(
      qr[row]!.map((dark, column) => SQUARES[Number(!dark)]![Number(!(qr[row + 1]?.[column] ?? false))]).join(""),
    );
  return lines;
}

/** By whether the upper and the lower half is light. */
const SQUARES = [
  [" ", "▄"],
  ["▀", "█"],
] as const;
