/** Runs one job after the other in the order they were handed in; a job that fails does not stop the next. */
export interface Order {
  readonly isEmpty: boolean;
  next<T>(job: () => Promise<T>): Promise<T>;
}

export function inOrder(): Order {
  let last: Promise<void> | undefined;
  return {
    get isEmpty() {
      return last === undefined;
    },
    next(job) {
      const result = (last ?? Promise.resolve()).then(job);
      const over = result.then(
        () => {},
        () => {}, // the one who handed it in sees the error
      );
      last = over;
      void over.then(() => {
        if (last === over) last = undefined;
      });
      return result;
    },
  };
}
