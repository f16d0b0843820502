import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpLine } from '../../tests/media/fixtures/line/tcp-line.fixture.ts';
import type { UdpLine } from '../../tests/media/fixtures/line/udp-line.fixture.ts';

/** A line and which of its directions carries the media. */
export interface MediaLine {
  readonly line: TcpLine | UdpLine;
  readonly to: 'server' | 'client';
}

const beforeMs = 2000;
const lossShare = 0.05;
/** Delay of an unimpaired line, each way. */
const usualDelayMs = 10;
export const usualLine = { delayMs: usualDelayMs };

const mediaWay = ({ line, to }: MediaLine) => (to === 'server' ? line.toServer : line.toClient);

/**
 * Faults of a line while it is watched; `usualBps` is its rate before. Loss and delay are per direction. A lasting
 * fault begins before the measurement, so that players have adapted to it; an event comes two seconds after its start.
 */
export const lineKinds: Record<
  string,
  { readonly lasting?: object; readonly event?: (media: MediaLine, usualBps: number) => Promise<void> }
> = {
  good: {},
  loss: { lasting: { loss: lossShare } },
  'delay-loss': { lasting: { loss: lossShare, delayMs: 200 } },
  jitter: { lasting: { jitterMs: 80, keepsOrder: false } },
  half: {
    event: async (media, usualBps) => {
      await sleep(beforeMs);
      mediaWay(media).set({ rateBps: usualBps / 2, queueMs: 300 });
      await sleep(10_000);
      mediaWay(media).set({ rateBps: Number.POSITIVE_INFINITY });
    },
  },
  blackout: {
    event: async ({ line }) => {
      await sleep(beforeMs);
      line.set({ isDown: true });
      await sleep(3000);
      line.set({ isDown: false });
    },
  },
  address: {
    event: async ({ line }) => {
      await sleep(beforeMs);
      line.changeAddress();
    },
  },
};

/** Bits per second of the media over some seconds. */
export async function usualRate(media: MediaLine, seconds: number): Promise<number> {
  const { queue } = mediaWay(media);
  const before = queue.passedBytes;
  await sleep(seconds * 1000);
  return ((queue.passedBytes - before) * 8) / seconds;
}
