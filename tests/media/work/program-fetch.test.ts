import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { madeOnce } from '../../made-once.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { inputs as encoded, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { LiveProgram } from '../fixtures/program.fixture.ts';
import { report } from '../fixtures/record.fixture.ts';
import { RtspCamera } from '../fixtures/rtsp-camera.fixture.ts';

const api = '/terraform/v1/live/program';
let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
  // Segments of two seconds.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  publisher = new Publisher(live.publishUrl('source'));
});
afterAll(async () => {
  await publisher.stop('SIGKILL');
  await live.close();
});

it('a program takes another stream and a pulled URL, and switches between them by hand', async () => {
  await until(() => live.isLive('source'), 'the source is live');
  const inputs = [
    { kind: 'stream', stream: 'live/source' },
    { kind: 'pull', url: live.rtmp('source') },
  ];
  const { code, data } = await live.post(`${api}/save`, { app: 'live', stream: 'made', inputs });
  expect([code, data.inputs?.length ?? data]).toEqual([0, 2]);
  const row = async () => (await live.post(`${api}/query`)).data.programs[0];
  await until(async () => (await row()).onAir === 'stream', 'the stream is on air');
  await until(
    async () => (await row()).states.every(({ state }: { state: string }) => state === 'good'),
    'the pulled URL is there',
  ).catch(async (error) => {
    throw new Error(`${String(error)}: ${JSON.stringify(await row())}`);
  });
  expect(await live.post(`${api}/switch`, { uuid: data.uuid, input: 'pull' })).toMatchObject({ code: 0 });
  await until(async () => (await row()).onAir === 'pull', 'the pulled URL is on air');
  const rehearsed = (await live.post(`${api}/rehearse`, { uuid: data.uuid, seconds: 3 })).data;
  expect(rehearsed).toMatchObject({ input: 'pull', switched: { to: 'stream', reason: 'silent' } });
  expect(await live.post(`${api}/remove`, { uuid: data.uuid })).toMatchObject({ code: 0 });
});

it('a cold pull is read only while the encoder is away, also when somebody switches to it', async () => {
  const inputs = [
    { kind: 'publisher' },
    { kind: 'pull', url: live.rtmp('source'), isCold: true },
    { kind: 'slate', text: 'Back soon', leastBitrate: 300 },
  ];
  const fields = { app: 'live', stream: 'cold', inputs, returnSeconds: 1, leastSeconds: 0 };
  const { code, data } = await live.post(`${api}/save`, fields);
  expect([code, data.message]).toEqual([0, undefined]);
  // An encoder that was there before the program would be disconnected once, and ffmpeg does not return.
  const encoder = new Publisher(live.publishUrl('cold'));
  const row = async () => (await live.post(`${api}/query`)).data.programs[0];
  const pulled = async () => (await row()).states.find(({ id }: { id: string }) => id === 'pull').protocol;
  const onAir = (id: string) => until(async () => (await row()).onAir === id, `${id} is on air`);
  await onAir('publisher');
  await until(async () => (await pulled()) === '', 'the pull is not read');
  expect(await live.post(`${api}/switch`, { uuid: data.uuid, input: 'pull' })).toMatchObject({ code: 0 });
  await onAir('pull');
  expect(await live.post(`${api}/switch`, { uuid: data.uuid, input: '' })).toMatchObject({ code: 0 });
  await onAir('publisher');
  await encoder.stop('SIGKILL');
  await onAir('pull');
  const returned = new Publisher(live.publishUrl('cold'));
  await onAir('publisher');
  await until(async () => (await pulled()) === '', 'the pull is stopped');
  await returned.stop('SIGKILL');
  expect(await live.post(`${api}/remove`, { uuid: data.uuid })).toMatchObject({ code: 0 });
});

async function uploaded(path: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([readFileSync(path)]), 'film.flv');
  const address = `${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/film.flv`;
  const response = await fetch(address, { method: 'POST', body: form, headers: live.headers });
  const { data } = (await response.json()) as { data: { uuid: string } };
  return data.uuid;
}

it('pulls of HLS, HTTP-FLV, SRT and RTSP and a looped file go on air, and stay there without a pause', async () => {
  const camera = await RtspCamera.start('viewer', 'secret');
  const program = new LiveProgram(live);
  try {
    await until(() => live.isLive('source'), 'the source is live');
    const uuid = await uploaded(madeOnce([...encoded.both, '-t', '4'], 'flv'));
    const { code, data } = await live.post(`${api}/files`, { files: [{ uuid }] });
    expect([code, data.message]).toEqual([0, undefined]);
    const srt = `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/source,m=request`;
    await program.save('fetched', {
      inputs: [
        { id: 'flv', kind: 'pull', url: live.http('source', '.flv') },
        { id: 'srt', kind: 'pull', url: srt },
        { id: 'rtsp', kind: 'pull', url: camera.url('/both', 'viewer:secret') },
        { id: 'file', kind: 'file', files: [uuid] },
        { id: 'hls', kind: 'pull', url: live.http('source', '.m3u8') },
      ],
      isReturning: false,
    });
    await program.isGood('flv', 'srt', 'rtsp', 'file', 'hls');
    const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/fetched.flv');
    await until(() => viewer.times.video.length > 25, 'it plays');
    const pauses: Record<string, number> = {};
    for (const [id, seconds] of Object.entries({ flv: 1, srt: 1, rtsp: 1, file: 5, hls: 7 })) {
      if ((await program.row()).onAir !== id) expect(await program.switchTo(id)).toBeUndefined();
      await program.becomes(id);
      const seen = viewer.times.video.length;
      await until(() => viewer.times.video.length > seen + 25 * seconds, `${id} plays`);
      const arrivals = viewer.arrivals.video.slice(seen);
      pauses[id] = Math.round(Math.max(...arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0))));
    }
    const { switches } = await program.row();
    report({ pauses, switches });
    expect(switches.map(({ to, reason }) => [to, reason]).slice(1)).toEqual(
      switches.slice(1).map(({ to }) => [to, 'manual']),
    );
    // Segments of HLS come two seconds apart, frames do not.
    expect(pauses.hls).toBeLessThan(1600);
    expect([viewer.hasEnded, viewer.reason]).toEqual([false, '']);
    expect(badSteps(viewer.times.video.slice(3), 0, 300)).toEqual([]);
    viewer.close();
  } finally {
    await program.clear();
    await camera.close();
  }
});
