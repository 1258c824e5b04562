import type { Channel, Run } from "../run/index.ts";

/** Something that a channel has to do, and when. */
export interface DueDelivery {
  readonly id: string;
  readonly channel: Channel;
  readonly at: number;
}

/** Every delivery without an end, the next one first: to be sent, to be tried again, or to be found cut off. */
export function dueDeliveries({ ledger: { notifications } }: Run): readonly DueDelivery[] {
  return (notifications?.recent ?? [])
    .flatMap(({ id, at, deliveries }) =>
      Object.entries(deliveries).flatMap(([name, delivery]): readonly DueDelivery[] => {
        const channel = name as Channel;
        switch (delivery.status) {
          case "queued":
            return [{ id, channel, at }];
          case "retrying":
            return [{ id, channel, at: delivery.retryAt }];
          case "sending":
            return [{ id, channel, at: delivery.until }];
          default:
            return [];
        }
      }),
    )
    .sort((a, b) => a.at - b.at);
}

/** In milliseconds, after the first, second, ... try; then it is given up. About three minutes in all. */
const PAUSES = [2_000, 10_000, 30_000, 120_000];

/** When a delivery that failed is tried again; undefined: not any more. */
export const retryAt = (tries: number, now: number): number | undefined => {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? undefined : now + pause;
};
