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

async function publisher({ live }: Target, name: string): Promise<RtmpPeer> {
  const peer = new RtmpPeer({ port: live.weir.rtmpPort, mode: 'publish', name: `${name}?secret=${live.secret}` });
  await peer.begun();
  peer.session.sendMedia(flvKind.video, 0, config);
  return peer;
}

function picture(bytes: number, isKeyframe: boolean): Buffer {
  const payload = Buffer.alloc(bytes, 0x41);
  payload.writeUInt32BE(bytes - 4, 0);
  payload[4] = isKeyframe ? 0x65 : 0x41;
  return writeFlvBody({ kind: 'video', codec: 'h264', dtsMs: 0, ptsMs: 0, isKeyframe, payload });
}

/** Somebody who asks for every playlist of low latency while the stream is sent. */
function watch(target: Target, name: string): () => void {
  let isOver = false;
  const go = async () => {
    while (!isOver) await target.ask(`/live/${name}.ll.m3u8`).catch(() => undefined);
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
    const peer = await publisher(target, 'still');
    const stop = watch(target, 'still');
    const bodies = [picture(100_000, true), picture(100_000, false)];
    let sentMb = 0;
    for (let n = 0; n < 7000 && !peer.hasEnded; n++) {
      peer.session.sendMedia(flvKind.video, 0, bodies[n % 100 === 0 ? 0 : 1] ?? Buffer.alloc(0));
      await peer.drain();
      sentMb += 0.1;
    }
    stop();
    peer.close();
    return `${Math.round(sentMb)} MB sent`;
  },
};

export const tinyFrames: Attack = {
  id: 'S40',
  title: 'frames of five bytes beside padding that nobody keeps, 300 MB',
  growthMb: 120,
  async run(target) {
    const peer = await publisher(target, 'tiny');
    const stop = watch(target, 'tiny');
    const frame = picture(9, false);
    const padding = Buffer.alloc(60_000);
    peer.session.sendMedia(flvKind.video, 0, picture(9, true));
    for (let n = 0; n < 5000 && !peer.hasEnded; n++) {
      peer.session.sendMedia(flvKind.video, n, frame);
      // An unknown kind of video body: read, counted, and dropped.
      peer.session.sendMedia(flvKind.video, n, Buffer.concat([Buffer.from([0x2f]), padding]));
      await peer.drain();
    }
    stop();
    peer.close();
    return '5,000 frames within 300 MB';
  },
};
