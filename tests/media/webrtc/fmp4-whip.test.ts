import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { examine, Recordings, report } from '../fixtures/record.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';

let desk: RtcDesk;
let recordings: Recordings;
beforeAll(async () => {
  desk = await RtcDesk.start();
  recordings = new Recordings(desk.live);
  await recordings.post('segment-format', { segmentFormat: 'fmp4' });
  await recordings.start();
});
afterAll(() => desk.close());

it('records AV1 and Opus of a browser by WHIP as fragmented MP4 without converting, and the quota removes it as any other', async () => {
  const done = [];
  for (const name of ['first', 'second']) {
    const call = await desk.call('whip', name, 'AV1');
    await until(async () => (await desk.streamNamed(name))?.audio?.codec === 'OPUS', 'sound arrives');
    const recording = await recordings.wait(name, ({ nn }) => nn >= 2, 'two segments');
    const files = readdirSync(recordings.file(recording.uuid, '.'));
    expect(files.filter((file) => /^init-[0-9a-f]{32}\.mp4$/.test(file)).length).toBeGreaterThan(0);
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
    await call.page.close();
    const finished = await recordings.finish(recording);
    expect(finished).toMatchObject({ state: 'done', lost: 0, error: '' });
    const { video, audio, complaints } = await examine(recordings.file(finished.uuid, 'index.mp4'));
    report({ name, video, audio, duration: finished.duration, size: finished.size });
    expect([video.codec_name, audio.codec_name]).toEqual(['av1', 'opus']);
    expect(complaints).toBe('');
    expect(video.frames).toBeGreaterThan(20);
    expect(Math.abs(video.endMs - audio.endMs)).toBeLessThan(500);
    done.push(finished);
  }
  const [oldest, newest] = done.map(({ uuid }) => recordings.file(uuid, 'index.mp4'));
  const newestBytes = done[1]?.size ?? 0;
  await recordings.post('storage', {
    quotaBytes: newestBytes + 1,
    atLimit: 'delete-oldest',
    keepBytes: newestBytes + 1,
  });
  await until(() => !existsSync(oldest ?? ''), 'the oldest was removed');
  expect(existsSync(recordings.file(done[0]?.uuid ?? '', '.'))).toBe(false);
  expect(existsSync(newest ?? '')).toBe(true);
}, 180_000);
