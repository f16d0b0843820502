import { Client } from '@weir/client';
import { expect, vi } from 'vitest';
import type { FakeRoom } from './room.fixture.ts';
import { TalkCalls } from './talk-calls.ts';
import { TalkSession } from './talk-session.ts';
import { TalkStorage } from './talk-storage.ts';

const open: TalkSession[] = [];

export function closePages(): void {
  for (const session of open.splice(0)) session.close();
}

/** `isDown`: every connection fails. */
export function newPage(room: FakeRoom, { isListener = false, line = { isDown: false }, roomToken = 'token-1' } = {}) {
  const fetch: typeof globalThis.fetch = (url, init) =>
    line.isDown ? Promise.reject(new TypeError('offline')) : room.fetch(url, init);
  const key = { room: 'room-1', roomToken };
  const kept = new TalkStorage({ ...key, mode: isListener ? 'transcript' : 'chat' });
  const session = new TalkSession({ calls: new TalkCalls(new Client({ fetch }), key), storage: kept, isListener });
  session.open();
  open.push(session);
  return session;
}

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
export const nothing = {
  text: '',
  audio: '',
  heard: '',
  caption: '',
  isDraft: false,
  milliseconds: 0,
  mergeMessages: 0,
};
export const typed = (text: string) => ({ ...nothing, text });
export const shown = ({ store }: TalkSession) =>
  store.get().entries.map((entry) => (entry.kind === 'note' ? `(${entry.word})` : entry.message.msg));

export async function talking(room: FakeRoom, options: Parameters<typeof newPage>[1] = {}) {
  const session = newPage(room, options);
  await pass(10);
  expect(session.store.get().phase).toBe('naming');
  expect(await session.enter('Ann', 'en')).toEqual({ voice: 'hello-english.aac' });
  return session;
}
