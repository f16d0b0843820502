import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnosis, IssueId } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { Publisher } from './fixtures/ffmpeg.fixture.ts';
import { expectHealthy, makeCommonFilm } from './fixtures/healthy.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';

let live: Live;
beforeAll(async () => {
  live = await Live.start();
});
afterAll(() => live.close());

/** Named within, and gone again within, by the server's own clock: a busy machine is slow to look, not to notice. */
const namedMs = 10_000;
const clearedMs = 15_000;

async function diagnose(): Promise<Diagnosis> {
  const { data } = await live.post('/terraform/v1/mgmt/streams/detail', {
    app: 'live',
    stream: 'show',
    since: Date.now(),
  });
  return data.diagnosis;
}

const ids = async () => (await diagnose()).issues.map(({ id }) => id);

/** Time until the condition held. */
async function after(what: string, condition: () => Promise<boolean>): Promise<number> {
  const beganMs = Date.now();
  await until(condition, what);
  return Date.now() - beganMs;
}

const named = (id: IssueId) => after(`${id} is named`, async () => (await ids()).includes(id));
const cleared = (id: IssueId) =>
  after(`${id} is cleared`, async () => {
    const { verdict, issues } = await diagnose();
    return verdict !== 'none' && !issues.some((issue) => issue.id === id);
  });

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25'];
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'];
const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=44100:cl=stereo'];

function publish(audio: readonly string[], keyframeSeconds: number): Publisher {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-b:v', '500k'];
  const keyframes = ['-g', String(keyframeSeconds * 25), '-sc_threshold', '0'];
  const aac = ['-c:a', 'aac', '-b:a', '64k', '-ac', '2'];
  return new Publisher(live.publishUrl('show'), [...picture, ...audio, ...h264, ...keyframes, ...aac]);
}

/** Replaces the publisher. */
async function replace(before: Publisher, next: () => Publisher): Promise<Publisher> {
  await before.stop('SIGKILL');
  await until(async () => !(await live.isLive('show')), 'the first one is gone');
  const publisher = next();
  await until(() => live.isLive('show'), 'the next one is there');
  return publisher;
}

/** Streams that are well beside those that are not, as long as the story of the others lasts: an encoder over RTMP and SRT, a film in a loop. */
async function publishHealthy(): Promise<Publisher[]> {
  const film = makeCommonFilm();
  const copy = ['-stream_loop', '-1', '-i', film, '-c', 'copy'];
  const streamId = `#!::r=live/srt?secret=${live.secret},m=publish`;
  await mkdir(join(live.weir.dataDir, 'upload'), { recursive: true });
  await copyFile(film, join(live.weir.dataDir, 'upload/common.mp4'));
  const vlive = '/terraform/v1/ffmpeg/vlive';
  const { data } = await live.post(`${vlive}/server`, { file: '/data/upload/common.mp4' });
  const files = [{ uuid: data.uuid }];
  await live.post(`${vlive}/source`, { platform: 'wx', files });
  const target = { server: `rtmp://127.0.0.1:${live.weir.rtmpPort}/live`, secret: `loop?secret=${live.secret}` };
  await live.post(`${vlive}/secret`, { action: 'update', platform: 'wx', enabled: true, files, ...target });
  return [
    new Publisher(live.publishUrl('rtmp'), copy),
    new Publisher(`srt://127.0.0.1:${live.weir.srtPort}?streamid=${streamId}`, copy, 'mpegts'),
  ];
}

it('the diagnosis names distant keyframes, silence and a stalled uplink within 10 s, clears them within 15 s of the repair, and raises nothing else', async () => {
  const healthy = await publishHealthy();
  let publisher = publish(sound, 10);
  await until(() => live.isLive('show'), 'live');
  // Unknown before the first keyframe is overdue, after five seconds.
  expect(await named('keyframes-far')).toBeLessThan(namedMs);
  publisher = await replace(publisher, () => publish(sound, 1));
  expect(await cleared('keyframes-far')).toBeLessThan(clearedMs);
  await until(async () => (await diagnose()).verdict === 'good', 'a healthy stream raises nothing');

  publisher = await replace(publisher, () => publish(silence, 1));
  expect(await named('audio-silent')).toBeLessThan(namedMs);
  publisher = await replace(publisher, () => publish(sound, 1));
  expect(await cleared('audio-silent')).toBeLessThan(clearedMs);

  // A line that carries nothing any more: the connection stays, and no byte comes.
  publisher.process.kill('SIGSTOP');
  expect(await named('stalled')).toBeLessThan(namedMs);
  expect((await diagnose()).verdict).toBe('bad');
  publisher.process.kill('SIGCONT');
  expect(await cleared('stalled')).toBeLessThan(clearedMs);
  for (const stream of ['rtmp', 'srt', 'loop']) await expectHealthy(live, stream);
  await Promise.all([publisher, ...healthy].map((each) => each.stop('SIGKILL')));
});
