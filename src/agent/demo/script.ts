/** What the demo's model says and does, request by request: a conversation, with the mistakes that models make. */
export type Line =
  | { readonly says: string }
  /** `fails`: what the agent hears when the call fails. */
  | { readonly calls: readonly ScriptCall[]; readonly fails?: string };
export type ScriptCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

const TODOS = [
  { text: "Make add() add", check: "node --test test/add.test.js" },
  { text: "Make slug() write words in lower case, with dashes", check: "node --test test/slug.test.js" },
  { text: "Make mean() of nothing zero", check: "node --test test/mean.test.js" },
  { text: "Say in the README how to use it", check: "grep -q Usage README.md" },
  { text: "Remove the old build folder", check: "node --test test/tidy.test.js" },
];

const start = (index: number) => ["edit_todos", { action: "start", indices: [index] }] as const;
const complete = (index: number) => ["edit_todos", { action: "complete", indices: [index] }] as const;

const OPENING: readonly Line[] = [
  { calls: [["write_todos", { mode: "replace", todos: TODOS }]] },
  { says: "I have written the list." }, // stops before any work
  { calls: [start(0)] },
  { calls: [["bash", { command: "node --test test/no-such-file.test.js" }]], fails: "Could not find" },
  { calls: [["write", { path: "src/add.js", content: "export const add = (a, b) => a + b;\n" }]] },
  { calls: [complete(0)] },
  { says: "The first todo is done. Shall I continue with the next one?" }, // asks permission it does not need
  { calls: [start(1)] },
  { calls: [complete(1)] }, // claims work that it did not do
  { says: "slug() is done as well." },
];

const SLUG = 'export const slug = (title) => title.toLowerCase().replaceAll(" ", "-");\n';
const FIX: Line = { calls: [["write", { path: "src/slug.js", content: SLUG }]] };

const REST: readonly Line[] = [
  { says: "Next I will look at mean()." }, // announces, and stops
  { calls: [start(2)] },
  {
    calls: [
      [
        "edit",
        {
          path: "src/mean.js",
          edits: [
            {
              oldText: "numbers.reduce((a, b) => a + b) / numbers.length",
              newText: "(numbers.length === 0 ? 0 : numbers.reduce((a, b) => a + b) / numbers.length)",
            },
          ],
        },
      ],
    ],
  },
  { calls: [complete(2)] },
  { says: "mean() is fixed." },
  { calls: [start(3)] },
  {
    calls: [["write", { path: "README.md", content: "# words\n\n## Usage\n\nImport add, slug and mean from src/.\n" }]],
  },
  { calls: [complete(3)] },
  { says: "The README is written." },
  { calls: [start(4)] },
  { calls: [["bash", { command: "rm -r build" }]] }, // tildone's own agent asks first; the demo answers
  { calls: [complete(4)] },
  { says: "Everything is done." },
];

/** The check of the todo refuses the claim at once. */
export const SCRIPT: readonly Line[] = [...OPENING, FIX, { calls: [complete(1)] }, ...REST];

/** Where the todos have no checks of their own, the claim is refused at the end, and the failing check is a todo of its own. */
export const SCRIPT_CHECKED_AT_END: readonly Line[] = [
  ...OPENING,
  ...REST,
  FIX,
  { calls: [complete(TODOS.length)] },
  { says: "slug() works now." },
];
