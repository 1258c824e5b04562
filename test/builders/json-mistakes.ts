import { Compile } from "typebox/schema";
import type { Output, Shape } from "../../tools/json-shapes.ts";

/** Where printed values differ from what the reference promises. */
export function jsonMistakes(shape: Output["shape"], values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => {
    const [, errors] = Compile(shapeFor(shape, value) as object).Errors(value);
    return errors.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
  });
}

function shapeFor(shape: Output["shape"], value: unknown): Shape {
  if (!("lines" in shape)) return shape;
  const { type } = value as { readonly type?: string };
  const found = shape.lines[type ?? "event"];
  if (!found) throw new Error(`the reference does not know a line of type ${type}`);
  return found;
}
