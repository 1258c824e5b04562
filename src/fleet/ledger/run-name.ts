/** A run's name becomes part of refs, folders and workflows. */
export function checkRunName(run: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(run))
    throw new Error(`"${run.slice(0, 100)}" cannot be the name of a run`);
}
