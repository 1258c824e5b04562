/** Names as a sentence lists them. */
export const listed = (names: readonly string[], last: "and" | "or"): string =>
  `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1)}`;
