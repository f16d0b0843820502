import { createLog } from '@weir/plane';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { Events } from '../../core/events.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { WatchedStore } from '../../core/store/watched-store.ts';
import { ChangeBuffer } from './change-buffer.ts';

it.each([
  ['dubbing-projects', 'dubbing'],
  ['dubbing-script-7f', 'dubbing'],
  ['ocr-segments', 'ocr'],
  ['talk-usage', 'rooms'],
  ['hook-deliveries', 'callbacks'],
  ['certs-order', 'certificates'],
])('a write to %s is an event about %s, and a read or a failed write is none', async (name, topic) => {
  const memory = new MemoryStore();
  const store = new WatchedStore(memory);
  const events = new Events(createLog('test', 'error'));
  store.onWrite((collection) => events.emit('store:written', { collection }));
  const changes = new ChangeBuffer(events);
  const before = changes.look();
  const rows = store.collection(name, z.string());
  await rows.list();
  memory.isBroken = true;
  await rows.put('a', 'b').catch(() => undefined);
  memory.isBroken = false;
  await store.collection('password', z.string()).put('a', 'b');
  expect(changes.look()).toEqual(before);
  for (const write of [() => rows.insert('a', 'b'), () => rows.update('a', () => 'c'), () => rows.delete('a')]) {
    const last = changes.look();
    await write();
    expect(changes.look()).toEqual({ ...last, [topic]: String(Number(last[topic as 'ocr']) + 1) });
  }
});
