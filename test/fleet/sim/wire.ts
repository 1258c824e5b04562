import { FilesError } from "../../../src/fleet/files/index.ts";
import { FleetError } from "../../../src/fleet/index.ts";

/** A process of a machine. What it awaits is in flight, and comes back only while it lives and does not stand still. */
export interface Process {
  readonly name: string;
  readonly parts: Process[];
  status: "alive" | "frozen" | "dead";
}

/** `own`: within the machine, where nothing gets lost. */
export type Road = "database" | "git" | "own";

/** Something a process waits for. `sent` --perform--> `performed` --answer--> gone; both can get lost. */
export interface Flight {
  readonly process: Process;
  readonly road: Road;
  readonly what: string;
  status: "sent" | "performed";
  perform(): Promise<void>;
  answer(): void;
  lose(): void;
}

/** Everything that is in flight between processes, the database and the remote. The world decides what happens next. */
export function createWire() {
  const flights: Flight[] = [];
  return { flights, call, pause, drop };

  function call<T>(process: Process, road: Road, what: string, act: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (process.status === "dead") return;
      let answer = (): void => {};
      const flight: Flight = {
        ...{ process, road, what, status: "sent" },
        async perform() {
          await act().then(
            (value) => {
              answer = () => resolve(value);
            },
            (error: unknown) => {
              answer = () => reject(error);
            },
          );
          flight.status = "performed";
        },
        answer() {
          drop(flight);
          answer();
        },
        lose() {
          drop(flight);
          reject(
            road === "git" ? new FilesError("away", "The remote cannot be reached.") : new FleetError("unreachable"),
          );
        },
      };
      flights.push(flight);
    });
  }

  /** A moment in which anything else may happen. */
  function pause(process: Process, what: string): Promise<void> {
    return call(process, "own", what, async () => {});
  }

  function drop(flight: Flight): void {
    const at = flights.indexOf(flight);
    if (at >= 0) flights.splice(at, 1);
  }
}

export type Wire = ReturnType<typeof createWire>;

export function createProcess(name: string, of?: Process): Process {
  const process: Process = { name, parts: [], status: of?.status ?? "alive" };
  of?.parts.push(process);
  return process;
}

export const withParts = (process: Process): readonly Process[] => [process, ...process.parts.flatMap(withParts)];
