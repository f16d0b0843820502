import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

const api = '/terraform/v1/live/program';
let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
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
  await until(async () => (await pulled()) === '', 'the pull is stopped', 60_000);
  await returned.stop('SIGKILL');
  expect(await live.post(`${api}/remove`, { uuid: data.uuid })).toMatchObject({ code: 0 });
});
