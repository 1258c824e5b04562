import { accept, type Kind, text } from "./kind.ts";

const EXPECTED = "the address of a PostgreSQL database: postgresql://user:password@host:5432/name";
const PATTERN = /^postgres(ql)?:\/\/\S{1,4000}$/;

/** The address holds a password: what is wrong with it is said without it, and what is right is not shown either. */
export const databaseUrl: Kind<string> = {
  expected: EXPECTED,
  read: (value) =>
    typeof value === "string" && PATTERN.test(value) && URL.canParse(value)
      ? accept(value)
      : { ok: false, mistakes: [{ path: "", expected: EXPECTED }] },
  fromText: (line) => line.trim(),
  show: () => JSON.stringify("postgresql://…"),
  schema: { type: "string", pattern: PATTERN.source },
};

export const label: Kind<string> = text("a label: letters, digits, . _ and -", /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/);

export const repository: Kind<string> = text(
  "the address of a repository, `*` for any text: https://example.com/team/*",
  /^[^\s]{1,1000}$/,
);
