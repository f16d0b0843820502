import { type Attack, holds } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';

const attempts = 500;
const mostLines = 50;

export const refusedPublishers: Attack = {
  id: 'S11',
  title: `${attempts} publishers with a wrong secret, and their log lines`,
  growthMb: 60,
  async run({ live }) {
    const { weir } = live;
    const linesBefore = weir.output.split('\n').length;
    for (let n = 0; n < attempts; n++) {
      const peer = new RtmpPeer({ port: weir.rtmpPort, mode: 'publish', name: `flood${n}?secret=wrong` });
      await peer.begun();
      peer.close();
    }
    const lines = weir.output.split('\n').length - linesBefore;
    holds(lines <= mostLines, `${lines} lines in the log`);
    return `${lines} lines in the log`;
  },
};
