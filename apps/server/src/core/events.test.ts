import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { Events, type PublishedStream } from './events.ts';

const stream: PublishedStream = {
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  param: '',
  serverId: 'vid-1',
  clientId: 'c1',
  publishedAt: '2026-01-01T00:00:00.000Z',
};

function silentLog() {
  const log = createLog('test', 'error');
  log.level = 'silent';
  return log;
}

it('notifies every listener, after the emitting code has continued', async () => {
  const events = new Events(silentLog());
  const heard: string[] = [];
  events.on('stream:published', ({ clientId }) => void heard.push(clientId));
  events.on('stream:published', async ({ stream }) => void heard.push(stream));
  events.emit('stream:published', stream);
  expect(heard).toEqual([]);
  await vi.waitFor(() => expect(heard).toEqual(['c1', 'show']));
});

it('notifies the other listeners when one fails, and logs the failure', async () => {
  const log = silentLog();
  const noted = vi.spyOn(log, 'error');
  const events = new Events(log);
  const heard = vi.fn();
  events.on('stream:ended', () => {
    throw new Error('broken');
  });
  events.on('stream:ended', () => Promise.reject(new Error('broken later')));
  events.on('stream:ended', heard);
  events.emit('stream:ended', stream);
  await vi.waitFor(() => expect(noted).toHaveBeenCalledTimes(2));
  expect(heard).toHaveBeenCalledExactlyOnceWith(stream);
});
