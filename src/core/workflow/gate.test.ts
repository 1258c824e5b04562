import { expect, test } from "vitest";
import { aPhase, aWorkflow, NEXT, Run } from "../../../test/builders/workflow.ts";
import type { ToolRules } from "./definition.ts";
import { forbidsWriting, gate, type ToolKind } from "./gate.ts";

const except = (...tools: string[]): ToolRules => ({ rule: "except", tools });
const only = (...tools: string[]): ToolRules => ({ rule: "only", tools });
const inPhase = (tools: ToolRules) => new Run([aWorkflow("w", [aPhase("plan", { tools })])]).state;

test.each<[string, "allowed" | "blocked", ToolRules, string, readonly ToolKind[]]>([
  ["no rules", "allowed", { rule: "all" }, "edit", ["@write"]],
  ["blacklisted by name", "blocked", except("edit"), "edit", ["@write"]],
  ["not blacklisted", "allowed", except("edit"), "write", ["@write"]],
  ["blacklisted by group", "blocked", except("@write"), "write", ["@write"]],
  ["one of its groups is blacklisted", "blocked", except("@network"), "fetch", ["@read", "@network"]],
  ["a tool the host has no group for passes a blacklist of groups", "allowed", except("@write"), "mystery", []],
  ["an empty blacklist", "allowed", except(), "edit", ["@write"]],
  ["whitelisted by name", "allowed", only("read"), "read", ["@read"]],
  ["not whitelisted", "blocked", only("read"), "grep", ["@read"]],
  ["whitelisted by group", "allowed", only("@read"), "grep", ["@read"]],
  ["only one of its groups is whitelisted", "blocked", only("@read"), "fetch", ["@read", "@network"]],
  ["all its groups are whitelisted", "allowed", only("@read", "@network"), "fetch", ["@read", "@network"]],
  ["a tool without a group does not slip through a whitelist", "blocked", only("@read"), "mystery", []],
  ["an empty whitelist", "blocked", only(), "read", ["@read"]],
  ["a capital letter opens nothing", "blocked", except("edit"), "Edit", []],
  ["a capital letter closes nothing", "allowed", only("read"), "Read", []],
  ["a pattern", "blocked", except("mcp__*__write*"), "mcp__github__write_file", []],
  ["a pattern that does not match", "allowed", except("mcp__*__write*"), "mcp__github__read_file", []],
  ["a pattern is no regular expression", "allowed", except("e.it"), "edit", []],
  ["ends of a pattern do not overlap", "allowed", except("ab*ba"), "aba", []],
])("%s -> %s", (_situation, expected, rules, tool, kinds) => {
  expect(gate(inPhase(rules), tool, kinds).allowed ? "allowed" : "blocked").toBe(expected);
});

test.each<[string, string, readonly ToolKind[]]>([
  ["workflow_step", "workflow_step", []],
  ["write_todos", "write_todos", []],
  ["list_todos", "list_todos", []],
  ["edit_todos", "edit_todos", []],
  ["the host's own question tool", "ask_user", ["@control"]],
])("%s is never gated", (_name, tool, kinds) => {
  const orphan = new Run([aWorkflow("w", ["one"])]);
  for (const state of [inPhase(only()), inPhase(except("*")), { ...orphan.state!, forest: [] }])
    expect(gate(state, tool, kinds)).toEqual({ allowed: true });
});

test("nothing is gated without an active workflow", () => {
  const run = new Run([aWorkflow("w", [aPhase("plan", { tools: only() })])]);
  run.do(NEXT);
  expect([gate(undefined, "edit", []), gate(run.state, "edit", [])]).toEqual([{ allowed: true }, { allowed: true }]);
});

test.each<[string, ToolRules, string]>([
  ["a blacklist", except("edit", "write"), "The w|Plan|edit|all except: edit, write|{unknown}"],
  ["a whitelist", only("read", "@shell"), "The w|Plan|edit|read, @shell|{unknown}"],
])("the author's reason is filled in for %s", (_name, rules, expected) => {
  const blockReasonTemplate = "{workflowName}|{phaseName}|{toolName}|{allowedTools}|{unknown}";
  const { state } = new Run([aWorkflow("w", [aPhase("plan", { tools: rules })], { blockReasonTemplate })]);
  expect(gate(state, "edit", ["@write"])).toEqual({ allowed: false, reason: expected });
});

test("without one, the reason names tool, phase and what is available", () => {
  const verdict = gate(inPhase(except("edit")), "edit", []);
  expect(verdict.allowed ? "" : verdict.reason).toMatch(
    /^\[workflow\] "edit" is not available in the phase Plan of The w\.\nAvailable here: all except: edit,/,
  );
});

test.each<[string, boolean, ToolRules]>([
  ["no rules", false, { rule: "all" }],
  ["@write is blacklisted", true, except("@write")],
  ["only tool names are blacklisted: others may write on purpose", false, except("edit", "write")],
  ["only groups are whitelisted, @write is not", true, only("@read", "@shell")],
  ["@write is whitelisted", false, only("@read", "@write")],
  ["a tool that writes is whitelisted by name", false, only("@read", "Edit")],
  ["only tool names are whitelisted", false, only("read", "delegate")],
])("%s -> forbids writing: %s", (_situation, expected, rules) => {
  expect(forbidsWriting(aPhase("p", { tools: rules }), ["edit", "write"])).toBe(expected);
});
