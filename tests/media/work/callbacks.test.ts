import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { CallbackReceiver } from '../fixtures/callback-receiver.fixture.ts';
import { inputs, Publisher, probe } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

let live: Live;
let receiver: CallbackReceiver;
let publishers: Publisher[] = [];
beforeAll(async () => {
  [live, receiver] = await Promise.all([Live.start(), CallbackReceiver.start()]);
  await live.post('/terraform/v1/mgmt/hooks/apply', { target: receiver.url, opaque: 'studio one', all: true });
  receiver.key = (await state()).secret;
});
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});
afterAll(() => Promise.all([live.close(), receiver.stop()]));

const state = async () => (await live.post('/terraform/v1/mgmt/hooks/query')).data;

function publish(name: string): Publisher {
  const publisher = new Publisher(live.publishUrl(name), inputs.video);
  publishers.push(publisher);
  return publisher;
}

it('a receiver in another process gets a signed on_publish, and refuses or accepts the publisher', async () => {
  await receiver.say('refuse');
  const refused = publish('gated');
  await until(() => refused.hasEnded, 'ffmpeg gives up');
  expect(refused.process.exitCode).not.toBe(0);
  expect(refused.said).toContain('the callback receiver rejected this stream: not today');
  expect(await live.isLive('gated')).toBe(false);
  const common = { opaque: 'studio one', app: 'live', stream: 'gated', isSigned: true };
  expect(receiver.heard).toMatchObject([{ action: 'on_publish', param: '?secret=***', ...common }]);
  expect(await state()).toMatchObject({ status: 200, error: 'the receiver responded with code 403: not today' });

  await receiver.say('accept');
  const accepted = publish('gated');
  await until(() => live.isLive('gated'), 'it plays');
  expect(await probe(live.http('gated', '.flv'))).toMatchObject([{ codec_name: 'h264' }]);
  await accepted.stop();
  await until(() => receiver.heard.length === 3, 'told of the end');
  expect(receiver.heard.map(({ action }) => action)).toEqual(['on_publish', 'on_publish', 'on_unpublish']);
  expect(receiver.heard[2]).toMatchObject(common);
});

it('events from the time a receiver was down arrive afterwards, in order, with their ids, also across a restart of ours', async () => {
  await receiver.say('accept');
  const names = ['first', 'second'];
  for (const name of names) {
    publish(name);
    await until(() => live.isLive(name), `${name} is live`);
  }
  await receiver.stop();
  for (const [index, publisher] of publishers.entries()) {
    await publisher.stop();
    await until(async () => (await state()).waiting === index + 1, 'the end waits');
  }
  await until(async () => (await state()).error.includes('connection was refused'), 'it was tried');
  const { deliveries } = (await live.post('/terraform/v1/mgmt/hooks/deliveries')).data;
  await live.weir.crashServer();
  expect((await state()).waiting).toBe(2);

  await receiver.restart();
  await until(() => receiver.heard.length === 2, 'both arrive');
  expect(receiver.heard).toMatchObject(names.map((stream) => ({ action: 'on_unpublish', stream, isSigned: true })));
  const waited = deliveries.filter((delivery: { state: string }) => delivery.state === 'waiting');
  expect(receiver.heard.map(({ request_id }) => request_id)).toEqual(
    waited.map((delivery: { request_id: string }) => delivery.request_id).reverse(),
  );
  await until(async () => (await state()).waiting === 0, 'nothing waits');
});

it('an event that the receiver refused is sent again with the same id', async () => {
  await receiver.say('accept');
  const again = publish('again');
  await until(() => live.isLive('again'), 'it is live');
  await receiver.say('refuse');
  await again.stop();
  await until(() => receiver.heard.length >= 2, 'told twice');
  await receiver.say('accept');
  await until(async () => (await state()).waiting === 0, 'it was taken');
  const ids = receiver.heard.map(({ request_id }) => request_id);
  expect(receiver.heard.every(({ action, isSigned }) => action === 'on_unpublish' && isSigned === true)).toBe(true);
  expect(new Set(ids).size).toBe(1);
});
