import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';

let live: Live;
let publishers: Publisher[] = [];
beforeAll(async () => {
  live = await Live.start();
});
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});
afterAll(() => live.close());

const call = (path: string, body: object = {}) => live.post(`/terraform/v1/mgmt/${path}`, body);

function publish(name: string): Publisher {
  const publisher = new Publisher(live.publishUrl(name), inputs.video);
  publishers.push(publisher);
  return publisher;
}

it('a player that asks the load balancer is redirected to a backend and plays there', async () => {
  publish('balanced');
  await until(() => live.isLive('balanced'), 'it is live');
  await call('dns/backend/update', { backends: [new URL(live.weir.origin).host] });
  const address = `${live.weir.origin}/terraform/v1/mgmt/dns/lb/live/balanced.flv?a=b`;
  const led = await fetch(address, { redirect: 'manual' });
  expect([led.status, led.headers.get('location')]).toEqual([302, `${live.http('balanced', '.flv')}?a=b`]);
  expect(await probe(address)).toMatchObject([{ codec_name: 'h264' }]);
});

it('the root redirects where the owner set, also during the start of the server', async () => {
  await call('nginx/homepage', { homepage: '/players/whep.html' });
  const leads = async () => {
    const { status, headers } = await fetch(`${live.weir.origin}/index.html`, { redirect: 'manual' });
    return `${status} ${headers.get('location')}`;
  };
  expect(await leads()).toBe('302 /players/whep.html');
  await live.weir.crashServer();
  expect(await leads()).toBe('302 /players/whep.html');
  const page = await fetch(live.weir.origin);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
});

it('new publishers are refused once the monthly hours are used up, and live ones stay live', async () => {
  const running = publish('running');
  await until(() => live.isLive('running'), 'it is live');
  await call('limit/update', { totalDuration: 1 });
  const isUsedUp = async () => (await call('limit/query')).data.consumedDuration >= 1;
  await until(isUsedUp, 'the hours are counted');
  const late = publish('late');
  await until(() => late.hasEnded, 'ffmpeg gives up');
  expect(late.said).toContain('the streaming hours of this month are used up');
  const { attempts } = (await call('streams/attempts')).data;
  expect(attempts).toMatchObject([{ stream: 'late', reason: 'hours-used' }]);
  expect(running.hasEnded).toBe(false);
  expect(await live.isLive('running')).toBe(true);

  await call('limit/update', { totalDuration: -1 });
  publish('late');
  await until(() => live.isLive('late'), 'without a limit it is let in');
});
