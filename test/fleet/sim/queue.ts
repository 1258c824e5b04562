/** A workflow of the queue. */
export interface Place {
  readonly run: string;
  /** Of the worker that has it; absent: it waits for one. */
  worker?: string;
  /** How often it was taken back from one. */
  recovered: number;
}

/** As DBOS does it: one place for each run, kept when its worker dies until another one takes it back. */
export function createQueue() {
  const places: Place[] = [];
  return {
    places,
    add(run: string): void {
      if (!places.some((each) => each.run === run)) places.push({ run, recovered: 0 });
    },
    end(place: Place): void {
      const at = places.indexOf(place);
      if (at >= 0) places.splice(at, 1);
    },
    /** What a worker had that is gone, or seems to be. */
    recover(worker: string): void {
      for (const place of places)
        if (place.worker === worker) {
          delete place.worker;
          place.recovered++;
        }
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
