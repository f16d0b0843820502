import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { Hub } from '../hub.ts';
import { Admission } from './admission.ts';
import type { ClientInfo } from './client-info.ts';
import { Clients } from './clients.ts';
import { Refused } from './gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const unpublish = vi.fn();
  const hub = new Hub({ returnMs: 1000, onOpened: () => undefined });
  const gate = {
    publish: vi.fn(async () => undefined),
    unpublish,
    publishRefused: () => undefined,
    play: async () => undefined,
    stop: () => undefined,
    segment: () => undefined,
  };
  const admission = new Admission({ hub, gate, log: quietLog });
  const publish = async () => {
    const kick = vi.fn();
    const info: ClientInfo = {
      id: Clients.newId(),
      kind: 'rtmp-publish',
      address: '198.51.100.7',
      place: { vhost: '__defaultVhost__', app: 'live', name: 'show' },
      param: '',
      tcUrl: '',
      pageUrl: '',
      connectedAt: new Date(),
    };
    return { kick, ...(await admission.publish({ info, kick, isGone: () => false })) };
  };
  return { hub, gate, publish, unpublish };
}

it('removes a kicked publisher from the list at once and closes its connection a moment later', async () => {
  const { hub, publish, unpublish } = open();
  const first = await publish();
  hub.clients.get(first.entry.info.id)?.kick('ended by the administrator');
  expect(hub.clients.size).toBe(0);
  expect(hub.find(first.entry.info.place)?.publisher).toBeUndefined();
  expect(unpublish).toHaveBeenCalledExactlyOnceWith(first.entry.info, 'kicked');
  expect(first.kick).not.toHaveBeenCalled();

  // The name is free, and what the first one still sends is nobody's.
  const second = await publish();
  vi.advanceTimersByTime(299);
  expect(first.kick).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(first.kick).toHaveBeenCalledExactlyOnceWith('ended by the administrator');
  first.leave('closed by the peer');
  expect(unpublish).toHaveBeenCalledOnce();
  expect(hub.find(second.entry.info.place)?.publisher).toBe(second.entry);
});

it('lets a newcomer replace a publisher that answers no more, once the control plane allows it', async () => {
  const { gate, publish, unpublish, hub } = open();
  const first = await publish();
  first.entry.answers = async () => true;
  await expect(publish()).rejects.toThrow('already being published');

  first.entry.answers = async () => false;
  gate.publish.mockRejectedValueOnce(new Refused('not you'));
  await expect(publish()).rejects.toThrow('not you');
  expect(hub.find(first.entry.info.place)?.publisher).toBe(first.entry);

  const second = await publish();
  expect(hub.find(second.entry.info.place)?.publisher).toBe(second.entry);
  expect(unpublish).toHaveBeenCalledExactlyOnceWith(first.entry.info, 'silent');
});
