import type { Diagnosis, IssueId } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { Publisher } from './fixtures/ffmpeg.fixture.ts';
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

/** How long it took until it was so. */
async function after(what: string, condition: () => Promise<boolean>): Promise<number> {
  const beganMs = Date.now();
  await until(condition, what, 60_000);
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

/** Another publisher in the place of the one before. */
async function replace(before: Publisher, next: () => Publisher): Promise<Publisher> {
  await before.stop('SIGKILL');
  await until(async () => !(await live.isLive('show')), 'the first one is gone');
  const publisher = next();
  await until(() => live.isLive('show'), 'the next one is there');
  return publisher;
}

it('names keyframes that are far apart, silence and a stalled uplink within 10 s, and is content within 15 s of the repair', async () => {
  let publisher = publish(sound, 10);
  await until(() => live.isLive('show'), 'live');
  // It cannot be known before the first keyframe is overdue, which is after five seconds.
  expect(await named('keyframes-far')).toBeLessThan(namedMs);
  publisher = await replace(publisher, () => publish(sound, 1));
  expect(await cleared('keyframes-far')).toBeLessThan(clearedMs);
  await until(async () => (await diagnose()).verdict === 'good', 'a healthy stream raises nothing', 20_000);

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
  await publisher.stop('SIGKILL');
});
