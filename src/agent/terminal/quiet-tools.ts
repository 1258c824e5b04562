/**
 * pi warns at every start that it does not download `fd` and `ripgrep`. Under tildone it never downloads anything, and only the
 * completion of `@` needs `fd`: the first screen is kept for what you have to know.
 */
export function quietTools(interactive: { readonly prototype: object }): void {
  Object.assign(interactive.prototype, { showManagedToolStatus: () => {} });
}
