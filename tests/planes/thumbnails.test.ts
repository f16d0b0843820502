import { execFileSync } from 'node:child_process';
import { engineApi } from '@weir/engine-api';
import type { VideoCodec } from '@weir/media';
import { expect, it, onTestFinished } from 'vitest';
import { serveKeyframes } from '../../apps/engine/src/api/serve-keyframes.ts';
import { ServedCalls } from '../../apps/engine/src/api/served-calls.fixture.ts';
import { client, place, videoConfig } from '../../apps/engine/src/hub/frames.fixture.ts';
import { Hub } from '../../apps/engine/src/hub/hub.ts';
import { thumbnailArgs } from '../../apps/server/src/media-server/thumbnails.ts';

const timeout = 60_000;
const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-frames:v', '1'];
const whole = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1'];

/** Content of the first box of that name. */
function boxIn(movie: Buffer, name: string): Buffer {
  const at = movie.indexOf(name, 0, 'latin1');
  return movie.subarray(at + 4, at - 4 + movie.readUInt32BE(at - 4));
}

it.each([
  ['h264', 'libx264', 'avcC', []],
  ['h265', 'libx265', 'hvcC', ['-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1']],
  ['av1', 'libaom-av1', 'av1C', ['-cpu-used', '8']],
  ['vp9', 'libvpx-vp9', 'vpcC', ['-deadline', 'realtime', '-cpu-used', '8']],
] as const)('a keyframe of %s becomes a preview', (codec: VideoCodec, encoder, record, options) => {
  const movie = execFileSync('ffmpeg', [...source, '-c:v', encoder, ...options, ...whole], { timeout });
  const hub = new Hub({ returnMs: 15_000 });
  onTestFinished(() => hub.close());
  const publication = hub.open(place)?.publish(client());
  publication?.config({ ...videoConfig, codec, record: boxIn(movie, record) });
  const payload = boxIn(movie, 'mdat');
  publication?.frame({ kind: 'video', codec, dtsMs: 0, ptsMs: 0, isKeyframe: true, payload });
  const api = new ServedCalls();
  serveKeyframes(api, hub, { find: () => undefined });
  const told = api.call(engineApi.keyframe, { vhost: place.vhost, app: place.app, stream: place.name, input: '' });
  const jpeg = execFileSync('ffmpeg', thumbnailArgs(), {
    input: Buffer.from(told?.movie ?? '', 'base64'),
    timeout,
  });
  // Start of image, and a picture in which there is something.
  expect(jpeg.readUInt16BE(0)).toBe(0xffd8);
  expect(jpeg.length).toBeGreaterThan(5000);
});
