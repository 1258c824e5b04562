import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const TOOLS = ["read", "write_file", "edit_file", "grep", "list_todos", "write_todos"];

test.each([
  ["one letter wrong", "raed", ["read"]],
  ["another case", "GREP", ["grep"]],
  ["several are near, nearest first", "write_file", ["write_file", "edit_file"]],
  ["two letters swapped are one slip", "gerp", ["grep"]],
  ["the beginning of a name", "list", ["list_todos"]],
  ["two letters of a short name are not near", "gold", []],
  ["nothing is near", "deploy_to_production", []],
  ["no name at all", "", []],
])("%s", (_situation, name, expected) => expect(nearest(name, TOOLS)).toEqual(expected));
