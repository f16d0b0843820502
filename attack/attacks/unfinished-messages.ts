import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';

const peers = 40;
const pinnedBytes = 8_000_000;
const pieceBytes = 60_000;

/** All of a message but its last bytes, in chunks of one chunk stream. */
function unfinished(chunkStreamId: number): Buffer {
  const head = Buffer.alloc(12);
  head[0] = chunkStreamId;
  head.writeUIntBE(pinnedBytes, 4, 3);
  head[7] = 9;
  head[8] = 1;
  const chunks = [head, Buffer.alloc(pieceBytes)];
  for (let sent = pieceBytes; sent + pieceBytes < pinnedBytes; sent += pieceBytes) {
    chunks.push(Buffer.from([0xc0 | chunkStreamId]), Buffer.alloc(pieceBytes));
  }
  return Buffer.concat(chunks);
}

const chunkSize = Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, pieceBytes >> 8, pieceBytes & 0xff]);

export const unfinishedMessages: Attack = {
  id: 'S36',
  title: `${peers} RTMP players without a credential, each with two unfinished messages of 8 MB`,
  growthMb: 60,
  async run({ live }) {
    const attackers: RtmpPeer[] = [];
    for (let n = 0; n < peers; n++) {
      const from = `127.0.2.${(n % 8) + 1}`;
      const peer = new RtmpPeer({ port: live.weir.rtmpPort, mode: 'play', name: 'honest', from });
      attackers.push(peer);
      await peer.begun();
      peer.write(chunkSize);
      for (const id of [5, 6]) {
        peer.write(unfinished(id));
        await peer.drain();
      }
    }
    await sleep(2000);
    const left = attackers.filter(({ hasEnded }) => !hasEnded).length;
    for (const peer of attackers) peer.close();
    return `${left} of ${peers} still connected after 2 s`;
  },
};
