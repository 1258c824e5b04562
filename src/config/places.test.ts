import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, makeHome } from "../../test/builders/home.ts";
import { directories, findProject } from "./index.ts";

describe("directories", () => {
  const home = "/home/ada";
  test.each([
    ["by default", {}, "/home/ada/.config/tildone", "/home/ada/.local/state/tildone"],
    ["by XDG", { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }, "/c/tildone", "/s/tildone"],
    [
      "a relative XDG folder does not count",
      { XDG_CONFIG_HOME: "c" },
      "/home/ada/.config/tildone",
      "/home/ada/.local/state/tildone",
    ],
    ["all in one folder", { TILDONE_HOME: "/t", XDG_CONFIG_HOME: "/c" }, "/t", "/t"],
    ["a relative one is taken from home", { TILDONE_HOME: "t" }, "/home/ada/t", "/home/ada/t"],
    ["an empty one is none", { TILDONE_HOME: "" }, "/home/ada/.config/tildone", "/home/ada/.local/state/tildone"],
  ])("%s", (_name, env, config, state) => {
    expect(directories({ env, home })).toEqual({ config, state, database: join(state, "tildone.db") });
  });
});

describe("findProject", () => {
  let home: Home;
  beforeEach(() => {
    home = makeHome();
    mkdirSync(join(home.cwd, "a/b"), { recursive: true });
    mkdirSync(join(home.place, "plain/a/b"), { recursive: true });
  });
  afterEach(() => home.remove());
  const make = (path: string) => mkdirSync(join(home.place, path), { recursive: true });
  const find = (cwd: string) => findProject(join(home.place, cwd));
  const at = (path: string) => join(home.place, path);

  test("the git root, from any folder below", () => {
    expect(find("project/a/b")).toEqual({ root: home.cwd, isRepository: true });
  });
  test("the nearest .tildone up to the git root", () => {
    make("project/.tildone");
    expect(find("project/a/b")).toEqual({ root: home.cwd, isRepository: true, folder: at("project/.tildone") });
    make("project/a/.tildone");
    expect(find("project/a/b")).toEqual({ root: home.cwd, isRepository: true, folder: at("project/a/.tildone") });
  });
  test("never one above the git root", () => {
    make(".tildone");
    expect(find("project/a/b")).toEqual({ root: home.cwd, isRepository: true });
  });
  test("without git the nearest .tildone, else the folder itself", () => {
    expect(find("plain/a/b")).toEqual({ root: at("plain/a/b"), isRepository: false });
    make("plain/.tildone");
    expect(find("plain/a/b")).toEqual({ root: at("plain"), isRepository: false, folder: at("plain/.tildone") });
  });
  test("an empty folder named .git is no repository; a file of that name is a worktree", () => {
    make("plain/.git");
    expect(find("plain/a/b")).toEqual({ root: at("plain/a/b"), isRepository: false });
    writeFileSync(at("plain/a/.git"), "gitdir: elsewhere");
    expect(find("plain/a/b")).toEqual({ root: at("plain/a"), isRepository: true });
  });
  test("links are followed first", () => {
    symlinkSync(join(home.cwd, "a"), at("link"));
    expect(find("link/b")).toEqual({ root: home.cwd, isRepository: true });
  });
  test("a folder that is gone is no project", () => {
    expect(find("gone")).toBeUndefined();
  });
});
