import { until } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';

export const secretsInLogs: Attack = {
  id: 'S32',
  title: 'publish secrets in stream names, accepted and rejected',
  growthMb: 60,
  async run({ live }) {
    const { secret, weir } = live;
    const names = [`in-${secret}`, `x?secret=${secret}`, `honest-${secret}`, `${secret}`, `${secret}-y?secret=wrong`];
    for (const name of names) {
      const peer = new RtmpPeer({ port: weir.rtmpPort, mode: 'publish', name });
      await peer.begun();
      peer.close();
      const player = new RtmpPeer({ port: weir.rtmpPort, mode: 'play', name: `no-${name}` });
      await fetch(`${weir.origin}/live/none-${encodeURIComponent(name)}.flv`, {
        signal: AbortSignal.timeout(500),
      }).catch(() => undefined);
      player.close();
    }
    await until(() => weir.records('publisher disconnected').length > 0, 'a line of a publisher who left');
    holds(!weir.output.includes(secret), 'the publish secret stands in the log');
    return `${names.length} names, the secret in none of ${weir.output.split('\n').length} lines`;
  },
};
