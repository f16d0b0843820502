import { execFileSync } from 'node:child_process';
import { sparkline } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer, liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { Thumbnails } from '../../media-server/thumbnails.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const key = '__defaultVhost__/live/show';
const fragmented = ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1'];

/** Keyframe as the engine sends it. */
function movie(codec: string, size: string, more: readonly string[] = []): Buffer {
  const source = ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=1`, '-frames:v', '1'];
  return execFileSync('ffmpeg', [...source, '-c:v', codec, ...more, ...fragmented]);
}

/** Width and height of a JPEG, by its start of frame. */
function sizeOf(jpeg: Buffer): [number, number] {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if (jpeg[at + 1] === 0xc0) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
  }
  return [0, 0];
}

async function open() {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream()];
  let passedMs = 0;
  const clock = { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + passedMs };
  const app = await createReadyApp({ mediaServer, clock });
  const path = '/terraform/v1/mgmt/streams/thumbnail';
  const picture = (body: object = place) =>
    app.inject({ method: 'POST', url: path, payload: body, headers: app.bearer });
  return { ...app, mediaServer, picture, path, pass: (ms: number) => (passedMs += ms) };
}

it('shows a keyframe of H.264 and HEVC as a small JPEG, made once in ten seconds', async () => {
  const { mediaServer, picture, pass } = await open();
  const asked = vi.spyOn(mediaServer, 'keyframe');
  mediaServer.keyframes.set(key, movie('libx264', '1280x720'));
  const [first, second] = await Promise.all([picture(), picture()]);
  expect(first?.headers).toMatchObject({ 'content-type': 'image/jpeg', 'cache-control': 'no-store' });
  expect(sizeOf(first?.rawPayload ?? Buffer.alloc(0))).toEqual([480, 270]);
  expect(second?.rawPayload).toEqual(first?.rawPayload);
  // A busy machine needs seconds for a picture.
  pass(1000);
  await picture();
  expect(asked).toHaveBeenCalledTimes(1);
  pass(10_000);
  mediaServer.keyframes.set(key, movie('libx265', '360x640', ['-x265-params', 'log-level=none', '-tag:v', 'hvc1']));
  expect(sizeOf((await picture()).rawPayload)).toEqual([270, 480]);
  // A new publisher gets a new thumbnail at once.
  mediaServer.live = [liveStream({ clientId: 'c2' })];
  mediaServer.keyframes.delete(key);
  await vi.waitFor(async () => expect((await picture()).json()).toMatchObject({ data: { reason: 'no-video' } }));
});

it('keeps the last thumbnail of a stream for later requests', async () => {
  const { mediaServer, picture } = await open();
  mediaServer.keyframes.set(key, movie('libx264', '640x360'));
  const shown = (await picture()).rawPayload;
  mediaServer.live = [];
  mediaServer.keyframes.delete(key);
  await vi.waitFor(async () => expect((await picture()).json()).toMatchObject({ data: { reason: 'not-live' } }));
  expect((await picture({ ...place, last: true })).rawPayload).toEqual(shown);
  expect((await picture({ app: 'live', stream: 'other', last: true })).json()).toMatchObject({
    data: { reason: 'not-live' },
  });
});

it('makes a thumbnail of a stream without viewers', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream()];
  mediaServer.keyframes.set(key, movie('libx264', '640x360'));
  const asked = vi.spyOn(mediaServer, 'keyframe');
  // Only the wait for the first picture takes ten seconds.
  const pause = (ms: number, signal?: AbortSignal) => systemClock.pause(ms === 10_000 ? 0 : ms, signal);
  const app = await createReadyApp({ mediaServer, clock: { ...systemClock, pause } });
  app.events.emit('stream:published', {
    ...place,
    param: '',
    serverId: 'vid-1',
    clientId: 'c1',
    publishedAt: new Date().toISOString(),
  });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
});

it('reports why there is no picture, and shows none to strangers', async () => {
  const { mediaServer, picture, inject, path } = await open();
  expect((await picture()).json()).toMatchObject({ code: 0, data: { reason: 'no-video' } });
  expect((await picture({ app: 'live', stream: 'other' })).json()).toMatchObject({ data: { reason: 'not-live' } });
  expect((await inject({ method: 'POST', url: path, payload: place })).statusCode).toBe(401);
  expect((await picture({ app: '' })).statusCode).toBe(422);
  mediaServer.lacks = ['thumbnails'];
  expect((await picture()).json()).toMatchObject({ data: { reason: 'unsupported' } });
});

it('reports a picture that cannot be decoded, and continues', async () => {
  const { mediaServer, picture, pass } = await open();
  mediaServer.keyframes.set(key, Buffer.alloc(100_000, 7));
  expect((await picture()).json()).toMatchObject({ data: { reason: 'undecodable' } });
  pass(11_000);
  mediaServer.isAway = true;
  await vi.waitFor(async () => expect((await picture()).statusCode).toBe(502));
});

it('says to try again, not that it cannot be decoded, when a busy machine has no time for a picture', async () => {
  const mediaServer = new FakeMediaServer();
  const thumbnails = new Thumbnails({ mediaServer, clock: systemClock, keptMs: 10_000, withinMs: 1 });
  const keyframe = vi.fn(async () => movie('libx264', '640x360'));
  const shown = { key, publisher: async () => 'c1', keyframe };
  // Requests during the work share its result.
  const [first, second] = [thumbnails.get(shown), thumbnails.get(shown)];
  for (const asked of [first, second]) await expect(asked).rejects.toMatchObject({ kind: 'unavailable' });
  expect(keyframe).toHaveBeenCalledTimes(1);
  await expect(thumbnails.get(shown)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(keyframe).toHaveBeenCalledTimes(2);
});

it('lists all streams with sparklines, verdicts, recordings and destinations', async () => {
  const { mediaServer, call } = await open();
  mediaServer.live = [liveStream(), liveStream({ name: 'radio', clientId: 'c2' })];
  const nowMs = Date.now();
  const at = Array.from({ length: 60 }, (_, index) => (Math.floor(nowMs / 1000) - 60 + index) * 1000);
  const columns = { inKbps: at.map(() => 2000), fps: at.map(() => 25), keyframeMs: at.map(() => 10_000) };
  const server = { at, columns: { cpu: at.map(() => 0.5), inKbps: at.map(() => 4000) } };
  mediaServer.samples = { server, streams: [{ ...place, isLive: true, samples: { at, columns } }] };
  const { data } = await call('mgmt/streams/overview');
  const show = data.streams.find(({ stream }: { stream: string }) => stream === 'show');
  expect(show).toMatchObject({ ...place, isRecording: false, targets: [] });
  expect(show.diagnosis.issues.map(({ id }: { id: string }) => id)).toContain('keyframes-far');
  expect(show.line).toHaveLength(sparkline.points);
  expect(show.line.at(-2)).toBe(2000);
  const radio = data.streams.find(({ stream }: { stream: string }) => stream === 'radio');
  expect(radio).toMatchObject({ diagnosis: { verdict: 'none', issues: [] } });
  expect(data.server.cpu.at(-2)).toBe(0.5);
  expect((await call('mgmt/server/now')).data).toMatchObject({ at: at.at(-1), values: { cpu: 0.5, memory: null } });
  mediaServer.isAway = true;
  await vi.waitFor(async () => expect((await call('mgmt/streams/overview')).status).toBe(502));
});
