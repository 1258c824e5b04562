import { createServer } from "node:http";

/** Figures of a worker, as Prometheus reads them. */
export function createMetrics(slots: number) {
  const ended = new Map<string, number>();
  const barriers = { count: 0, ms: 0 };
  let [claims, lostEvents, recovered, busy] = [0, 0, 0, 0];
  return {
    claimed: (lost: number) => {
      claims++;
      lostEvents += lost;
    },
    barrier: (ms: number) => {
      barriers.count++;
      barriers.ms += ms;
    },
    ended: (how: string) => void ended.set(how, (ended.get(how) ?? 0) + 1),
    recovered: (count: number) => {
      recovered += count;
    },
    busy: (count: number) => {
      busy = count;
    },
    text: (): string =>
      [
        gauge("slots", "Runs that fit at the same time.", slots),
        gauge("busy", "Runs that are being worked on.", busy),
        counter("claims_total", "Runs that were taken.", claims),
        counter("lost_events_total", "Events after the last checkpoint that a claim took back.", lostEvents),
        counter("recovered_total", "Runs of dead workers that were put back on the queue.", recovered),
        counter("barriers_total", "Checkpoints.", barriers.count),
        counter("barrier_seconds_total", "Time that checkpoints took.", barriers.ms / 1000),
        `# HELP tildone_worker_ended_total Runs that left this worker, by how.\n# TYPE tildone_worker_ended_total counter`,
        ...[...ended].map(([how, count]) => `tildone_worker_ended_total{how="${how}"} ${count}`),
        "",
      ].join("\n"),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Only this machine may ask. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(metrics.text());
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", done));
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : port, close: () => server.close() };
}

const gauge = (name: string, help: string, value: number): string => line(name, help, "gauge", value);
const counter = (name: string, help: string, value: number): string => line(name, help, "counter", value);
const line = (name: string, help: string, type: string, value: number): string =>
  `# HELP tildone_worker_${name} ${help}\n# TYPE tildone_worker_${name} ${type}\ntildone_worker_${name} ${value}`;
