import type { AutocompleteProvider } from "@earendil-works/pi-tui";

/** What you type first stands first: without a letter, tildone's own commands in our order; with letters, ours of the matches. */
const FIRST = ["help", "todos", "hold", "unhold", "tildone", "approval", "undo", "leave"];

/** pi lists its own commands before those of its extensions; under a slash ours come first, and nothing is lost. */
export const ownCommandsFirst =
  (names: ReadonlySet<string>) =>
  (pi: AutocompleteProvider): AutocompleteProvider => ({
    ...(pi.triggerCharacters && { triggerCharacters: pi.triggerCharacters }),
    applyCompletion: (...given) => pi.applyCompletion(...given),
    shouldTriggerFileCompletion: (...given) => pi.shouldTriggerFileCompletion?.(...given) ?? true,
    getSuggestions: async (...given) => {
      const found = await pi.getSuggestions(...given);
      if (!found || !/^\/\S*$/.test(found.prefix)) return found;
      const rank = (value: string): number => {
        const name = value.replace(/^\//, "").trim();
        if (!names.has(name)) return 2 * FIRST.length;
        return FIRST.includes(name) && found.prefix === "/" ? FIRST.indexOf(name) : FIRST.length;
      };
      return { ...found, items: found.items.toSorted((a, b) => rank(a.value) - rank(b.value)) };
    },
  });
