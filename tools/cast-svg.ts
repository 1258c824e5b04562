const [COLUMNS, ROWS] = [92, 24];
const [CELL, LINE, EDGE] = [8.4, 19, 14];
/** Seconds a line stands alone before the next one, and how long the end stays. */
const [PACE, REST] = [0.45, 8];

/** A terminal that prints these lines one after the other, scrolls, and begins again. Colours are those of `src/cli/style.ts`. */
export function castSvg(lines: readonly string[]): string {
  const total = lines.length * PACE + REST;
  const [wide, high] = [Math.round(COLUMNS * CELL + 2 * EDGE), ROWS * LINE + 2 * EDGE];
  const at = (index: number) => ((index * PACE) / total) * 100;
  const scrolls = lines
    .map((_, index) => ({ index, up: Math.max(0, index + 1 - ROWS) }))
    .filter(({ up }) => up > 0)
    .map(({ index, up }) => `${at(index).toFixed(2)}% { transform: translateY(-${up * LINE}px) }`);
  const last = Math.max(0, lines.length - ROWS) * LINE;
  const shows = lines.map(
    (_, index) =>
      `@keyframes l${index} { 0%, ${at(index).toFixed(2)}% { opacity: 0 } ${(at(index) + 0.01).toFixed(2)}%, 100% { opacity: 1 } }`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-label="tildone demo: an agent stops early, asks and claims; tildone makes it finish and refuses the false claim">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d4d4d4; white-space: pre }
.c31 { fill: #f47067 } .c32 { fill: #6bc46d } .c33 { fill: #daaa3f } .c36 { fill: #39c5cf } .c2, .c90 { fill: #8b949e } .c1 { font-weight: bold }
#all { animation: scroll ${total.toFixed(1)}s step-end infinite }
@keyframes scroll { 0% { transform: translateY(0) } ${scrolls.join(" ")} 100% { transform: translateY(-${last}px) } }
${shows.join("\n")}
${lines.map((_, index) => `#t${index} { animation: l${index} ${total.toFixed(1)}s step-end infinite }`).join("\n")}
@media (prefers-reduced-motion: reduce) { #all, text { animation: none !important } #all { transform: translateY(-${last}px) } }
</style>
<rect width="${wide}" height="${high}" rx="8" fill="#161b22"/>
<clipPath id="screen"><rect x="0" y="${EDGE - 4}" width="${wide}" height="${ROWS * LINE + 8}"/></clipPath>
<g clip-path="url(#screen)"><g id="all">
${lines.map((line, index) => `<text id="t${index}" x="${EDGE}" y="${EDGE + (index + 1) * LINE - 5}">${spans(line)}</text>`).join("\n")}
</g></g>
</svg>
`;
}

/** Runs of one colour; what does not fit is cut, as a terminal would. */
function spans(line: string): string {
  let room = COLUMNS;
  return [...line.matchAll(/(?:\u001b\[(\d+)m)?([^\u001b]*)(?:\u001b\[0m)?/g)]
    .filter(([whole]) => whole !== "")
    .map(([, code, text = ""]) => {
      const shown = text.slice(0, Math.max(0, room));
      room -= text.length;
      return code === undefined || code === "0" ? escaped(shown) : `<tspan class="c${code}">${escaped(shown)}</tspan>`;
    })
    .join("");
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
