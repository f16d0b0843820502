import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { Events } from '../../core/events.ts';
import { liveStream } from '../../media-server/fake-media-server.fixture.ts';
import { toPublishedStream } from './published-stream.ts';
import { Publishers } from './publishers.ts';

function open() {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const events = new Events(log);
  const heard: string[] = [];
  events.on('stream:published', ({ clientId }) => void heard.push(`${clientId} published`));
  events.on('stream:ended', ({ clientId }) => void heard.push(`${clientId} ended`));
  const clock = new FakeClock();
  const publishers = new Publishers(events, clock);
  const expectHeard = async (...expected: string[]) => {
    await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(expected.length));
    expect(heard).toEqual(expected);
  };
  return { publishers, clock, heard, expectHeard };
}

const one = liveStream({ clientId: 'one' });
const two = liveStream({ clientId: 'two' });

it('ends, once, streams that vanished with the engine', async () => {
  const { publishers, clock, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  clock.pass(20_000);
  await publishers.reconcile(async () => []);
  await publishers.reconcile(async () => []);
  publishers.ended(toPublishedStream(one));
  await expectHeard('one published', 'one ended');
});

it('announces, once, streams that were accepted before this process started', async () => {
  const { publishers, expectHeard } = open();
  await publishers.reconcile(async () => [one]);
  await publishers.reconcile(async () => [one]);
  publishers.ended(toPublishedStream(one));
  await expectHeard('one published', 'one ended');
});

it('gives an accepted publisher time to appear in the list', async () => {
  const { publishers, clock, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  clock.pass(3000);
  await publishers.reconcile(async () => []);
  await publishers.reconcile(async () => [one]);
  await expectHeard('one published');
});

it('does not bring back a publisher that left while the list was on its way', async () => {
  const { publishers, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  await publishers.reconcile(async () => {
    publishers.ended(toPublishedStream(one));
    return [one];
  });
  await expectHeard('one published', 'one ended');
});

it('distinguishes two publishers of one stream', async () => {
  const { publishers, clock, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  publishers.published(toPublishedStream(two));
  clock.pass(20_000);
  await publishers.reconcile(async () => [two]);
  await expectHeard('one published', 'two published', 'one ended');
});

it('lets the same client publish again after it stopped', async () => {
  const { publishers, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  publishers.ended(toPublishedStream(one));
  publishers.published(toPublishedStream(one));
  await expectHeard('one published', 'one ended', 'one published');
});

it('passes on an end whose beginning was reported to another process', async () => {
  const { publishers, expectHeard } = open();
  publishers.ended(toPublishedStream(one));
  publishers.ended(toPublishedStream(one));
  await expectHeard('one ended');
});

it('changes nothing while the engine does not answer', async () => {
  const { publishers, clock, expectHeard } = open();
  publishers.published(toPublishedStream(one));
  clock.pass(20_000);
  await expect(publishers.reconcile(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expectHeard('one published');
});

it('treats a name as published while the publisher that took it over is there', () => {
  const { publishers } = open();
  publishers.published(toPublishedStream(one));
  publishers.published(toPublishedStream(two));
  publishers.ended(toPublishedStream(one));
  expect(publishers.has(toPublishedStream(one))).toBe(true);
  publishers.ended(toPublishedStream(two));
  expect(publishers.has(toPublishedStream(one))).toBe(false);
});
