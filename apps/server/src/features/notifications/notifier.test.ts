import { type Alert, notificationsApi } from '@weir/contract';
import { expect, it } from 'vitest';
import { silentLog } from '../../ai/ai.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { ChannelRepository } from './channel-repository.ts';
import { Notifier } from './notifier.ts';
import { ChatService } from './services.fixture.ts';

function alert(stream: string): Alert {
  return {
    kind: 'stream',
    severity: 'bad',
    since: '2026-03-01T12:00:00.000Z',
    count: 1,
    place: { page: 'scenario', tab: 'live', child: '' },
    subject: stream,
    label: '',
    cause: 'stalled',
  };
}

async function open() {
  const clock = new FakeClock('2026-03-01T12:00:00Z');
  const chat = await ChatService.start();
  const store = new MemoryStore();
  const channels = new ChannelRepository(store);
  const body = { name: 'Team', service: 'webhook', fields: { url: chat.url } } as const;
  await channels.save(notificationsApi.save.body.parse(body));
  let alerts: Alert[] = [];
  const diagnose = async () => ({ alerts, diagnosis: { verdict: 'good' as const, issues: [] } });
  const notifier = new Notifier({ channels, diagnose, outgoing: new OutgoingClient(), clock, log: silentLog });
  /** One look, and the message that it sends. */
  const look = async (now: readonly Alert[]) => {
    alerts = [...now];
    await notifier.look();
    await notifier.settled();
    clock.pass(3000);
  };
  return { chat, store, look };
}

it('a storm of a thousand alerts is at most five messages, which count all of them', async () => {
  const { chat, look } = await open();
  const storm: Alert[] = [];
  for (let looks = 0; looks < 40; looks++) {
    storm.push(...Array.from({ length: 25 }, (_, index) => alert(`live/${looks * 25 + index}`)));
    await look(storm);
  }
  expect(chat.received.length).toBeLessThanOrEqual(5);
  for (let looks = 0; looks < 240; looks++) await look([]);
  const began = chat.received.flatMap((message) => message.body.began);
  const ended = chat.received.flatMap((message) => message.body.ended);
  // What began and passed while messages waited was never reported, and needs no end.
  expect(began.length).toBe(ended.length);
  expect(new Set(began.map(({ subject }) => subject)).size).toBe(began.length);
  expect(chat.received.at(-1)?.body.title).toMatch(/problems resolved$/);
});

it('reports that the settings cannot be read, although its own are among them', async () => {
  const { chat, store, look } = await open();
  await look([]);
  store.isBroken = true;
  await look([{ ...alert(''), kind: 'store', cause: 'away' }]);
  expect(chat.received[0]?.body.title).toContain('Settings database unavailable');
});
