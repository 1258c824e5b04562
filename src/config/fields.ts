import { accept, type JsonSchema, type Kind, type Mistake } from "./kind.ts";

type Fields = Readonly<Record<string, Kind<unknown>>>;
type Of<F extends Fields> = { readonly [K in keyof F]?: F[K] extends Kind<infer T> ? T : never };

/** An object with known fields, some of them required. */
export function fields<F extends Fields, R extends keyof F & string>(
  name: string,
  known: F,
  required: readonly R[],
): Kind<Of<F> & Required<Pick<Of<F>, R>>> {
  const expected = `${name} (${Object.keys(known).join(", ")})`;
  return {
    expected,
    read: (value) => {
      if (!isRecord(value)) return { ok: false, mistakes: [{ path: "", expected, value }] };
      const mistakes: Mistake[] = [];
      const found: Record<string, unknown> = {};
      for (const [key, given] of Object.entries(value)) {
        const kind = Object.hasOwn(known, key) ? known[key] : undefined;
        if (kind === undefined) {
          mistakes.push({ path: `.${key}`, expected: "absent", names: Object.keys(known) });
          continue;
        }
        const reading = kind.read(given);
        if (reading.ok) found[key] = reading.value;
        else mistakes.push(...reading.mistakes.map((mistake) => ({ ...mistake, path: `.${key}${mistake.path}` })));
      }
      for (const key of required)
        if (!Object.hasOwn(value, key)) mistakes.push({ path: `.${key}`, expected: `given: ${known[key]!.expected}` });
      if (mistakes.length > 0) return { ok: false, mistakes };
      return accept(found as Of<F> & Required<Pick<Of<F>, R>>);
    },
    fromText: (line) => line,
    show: (value) => JSON.stringify(value),
    schema: objectSchema(known, required),
  };
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectSchema(known: Fields, required: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(known).map(([key, kind]) => [key, kind.schema]));
  return { type: "object", properties, required, additionalProperties: false };
}
