/** `Firefox on Linux`, from what the browser says of itself; it is shown and decides nothing. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0] ?? "A browser";
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}

const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Firefox", /Firefox\//],
  ["Edge", /Edg\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Mac", /Mac OS X/],
  ["Windows", /Windows/],
  ["Linux", /Linux/],
];
