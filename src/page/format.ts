/** `89 s`, `12 min`, `3 h`, `2 d`: as exact as a glance needs, and never a number on one line with its unit on the next. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes}\u00a0min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}\u00a0h` : `${Math.round(hours / 24)}\u00a0d`;
}

export const ago = (at: number, now: number): string => (now - at < 5_000 ? "just now" : `${span(now - at)} ago`);

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
export const timeOf = (at: number, now: number): string =>
  (Math.abs(now - at) < 20 * 3_600_000 ? clock : day).format(at);

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
export const amount = (value: number): string => whole.format(value);
export const money = (value: number): string => `$${value.toFixed(value !== 0 && value < 1 ? 4 : 2)}`;
export const plural = (count: number, one: string): string => `${amount(count)} ${one}${count === 1 ? "" : "s"}`;

/** `Users/…/shop` is enough to know a folder; the whole path stands in the title. */
export function folderName(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length <= 3 ? path : `…/${parts.slice(-2).join("/")}`;
}

export const sentence = (text: string): string => (text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}`);
