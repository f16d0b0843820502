import { encodeCommand } from '../../packages/media/src/protocols/rtmp/replies.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { Attack } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';
import type { Target } from '../target.ts';

/** Streams that have a publisher, but for the honest one. */
async function liveNames({ live }: Target): Promise<string[]> {
  const { data } = await live.post('/terraform/v1/mgmt/streams/query');
  const streams: { stream: string }[] = data.streams ?? [];
  return streams.map(({ stream }) => stream).filter((name) => name !== 'honest');
}

export const commandOrders: Attack = {
  id: 'S37',
  title: 'publish, deleteStream, closeStream and publish again in one segment, in many orders',
  growthMb: 60,
  async run(target) {
    const { live } = target;
    const secret = `?secret=${live.secret}`;
    const steps = {
      publishB: encodeCommand(1, ['publish', 8, null, `second${secret}`, 'live']),
      publishC: encodeCommand(1, ['publish', 9, null, `third${secret}`, 'live']),
      play: encodeCommand(1, ['play', 10, null, 'honest', -2000]),
      deleteStream: encodeCommand(0, ['deleteStream', 11, null, 1]),
      closeStream: encodeCommand(1, ['closeStream', 12, null]),
      unpublish: encodeCommand(0, ['FCUnpublish', 13, null, 'first']),
      createStream: encodeCommand(0, ['createStream', 14, null]),
    };
    const kinds = Object.values(steps);
    let tried = 0;
    for (const first of kinds) {
      for (const second of kinds) {
        const name = `first${tried}${secret}`;
        const afterStart = Buffer.concat([first, second, steps.publishC]);
        const peer = new RtmpPeer({ port: live.weir.rtmpPort, mode: 'publish', name, afterStart });
        await peer.begun();
        tried += 1;
        peer.close();
      }
    }
    await until(async () => (await liveNames(target)).length === 0, 'nothing of them is live', 15_000);
    return `${tried} orders, nothing live afterwards`;
  },
};
