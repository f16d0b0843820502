import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flvKind, writeFlvBody, writeFlvConfig } from '@weir/media';
import type { Attack } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';
import type { Target } from '../target.ts';

const record = readFileSync(join(import.meta.dirname, '../../packages/media/seeds/codecs/avcc.bin'));
const config = writeFlvConfig({
  kind: 'video',
  codec: 'h264',
  record,
  width: 96,
  height: 64,
  profile: '',
  level: '',
  fps: 25,
});

interface Show {
  readonly name: string;
  readonly rounds: number;
  readonly send: (session: RtmpPeer['session'], round: number) => void;
}

/** Publishes round after round, with a viewer, until the server ends it. Returns how many were sent. */
async function publish(target: Target, { name, rounds, send }: Show): Promise<number> {
  const { weir, secret } = target.live;
  const peer = new RtmpPeer({ port: weir.rtmpPort, mode: 'publish', name: `${name}?secret=${secret}` });
  await peer.begun();
  peer.session.sendMedia(flvKind.video, 0, config);
  const stop = watch(target, name);
  let round = 0;
  for (; round < rounds && !peer.hasEnded; round++) {
    send(peer.session, round);
    await peer.drain();
  }
  stop();
  peer.close();
  return round;
}

function picture(bytes: number, isKeyframe: boolean): Buffer {
  const payload = Buffer.alloc(bytes, 0x41);
  payload.writeUInt32BE(bytes - 4, 0);
  payload[4] = isKeyframe ? 0x65 : 0x41;
  return writeFlvBody({ kind: 'video', codec: 'h264', dtsMs: 0, ptsMs: 0, isKeyframe, payload });
}

/** Viewer that requests every low-latency playlist while the stream is sent. */
function watch(target: Target, name: string): () => void {
  let isOver = false;
  const go = async () => {
    while (!isOver) await target.sendRequest(`/live/${name}.ll.m3u8`).catch(() => undefined);
  };
  void go();
  return () => {
    isOver = true;
  };
}

export const constantTimestamps: Attack = {
  id: 'S40',
  title: 'a publisher whose clock stands still, 700 MB, with a viewer of low-latency HLS',
  growthMb: 400,
  async run(target) {
    const bodies = [picture(100_000, true), picture(100_000, false)];
    const sent = await publish(target, {
      name: 'still',
      rounds: 7000,
      send: (session, n) => session.sendMedia(flvKind.video, 0, bodies[n % 100 === 0 ? 0 : 1] ?? Buffer.alloc(0)),
    });
    return `${Math.round(sent / 10)} MB sent`;
  },
};

export const tinyFrames: Attack = {
  id: 'S40',
  title: 'five-byte frames with padding that is discarded, 300 MB',
  growthMb: 120,
  async run(target) {
    const [first, frame] = [picture(9, true), picture(9, false)];
    // An unknown kind of video body: read, counted, and dropped.
    const padding = Buffer.concat([Buffer.from([0x2f]), Buffer.alloc(60_000)]);
    await publish(target, {
      name: 'tiny',
      rounds: 5000,
      send(session, n) {
        session.sendMedia(flvKind.video, n, n === 0 ? first : frame);
        session.sendMedia(flvKind.video, n, padding);
      },
    });
    return '5,000 frames within 300 MB';
  },
};
