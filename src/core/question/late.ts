/** Made when it is first asked for: most turns end without a question, and a hook lives for the end of one. */
export function late<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
